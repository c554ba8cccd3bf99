// SPDX-License-Identifier: MIT
//
// free() and realloc() of the program and its libraries (delete calls them, too): memory that MPI still uses is
// detected and kept. Calls of Rehearse's own functions on a rank are not checked.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "smpi/buffers/freed.hpp"
#include "smpi/folding.hpp"
#include "smpi/process/allocation.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

void program_free(void* block) {
  if (block == nullptr || must_keep(block)) return;
  std::free(block);
}

// Data in folded memory mean nothing, so they are not copied.
void copy_unless_folded(void* to, const void* from, std::size_t bytes) {
  if (!is_folded({static_cast<const std::byte*>(to), bytes})) std::memcpy(to, from, bytes);
}

// A block that is or becomes large enough for automatic folding moves.
void* moved_if_foldable(void* block, std::size_t bytes) {
  const Folding* folding = folding_of_rank();
  if (folding == nullptr || !this_rank().covers(block) || !folding->is_automatic(bytes))
    return std::realloc(block, bytes);
  if (this_rank().heap->check(block) != Arena::BlockState::live) return std::realloc(block, bytes);  // reports it
  void* moved = program_malloc(bytes);
  if (moved == nullptr) return nullptr;
  copy_unless_folded(moved, block, std::min(bytes, this_rank().heap->usable_bytes(block)));
  std::free(block);
  return moved;
}

// A block that MPI still uses is copied and kept, even if it is large enough for the new size.
void* program_realloc(void* block, std::size_t bytes) {
  if (block == nullptr) return program_malloc(bytes);
  if (!must_keep(block)) return bytes == 0 ? std::realloc(block, 0) : moved_if_foldable(block, bytes);
  if (bytes == 0) return nullptr;
  void* moved = program_malloc(bytes);
  if (moved != nullptr) copy_unless_folded(moved, block, std::min(bytes, this_rank().heap->usable_bytes(block)));
  return moved;
}

void* program_reallocarray(void* block, std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  return __builtin_mul_overflow(count, bytes, &total) ? ::reallocarray(block, count, bytes)
                                                      : program_realloc(block, total);
}

}  // namespace

InterposerList freeing_interposers() {
  return {{"free", function_address(program_free)},
          {"realloc", function_address(program_realloc)},
          {"reallocarray", function_address(program_reallocarray)}};
}

}  // namespace rehearse::smpi
