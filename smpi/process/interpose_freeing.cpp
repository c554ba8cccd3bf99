// SPDX-License-Identifier: MIT
//
// free() and realloc() of the program and its libraries (delete calls them, too): memory that MPI still uses is
// detected and kept. Calls of Rehearse's own functions on a rank are not checked.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "smpi/buffers/freed.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

void program_free(void* block) {
  if (block == nullptr || must_keep(block)) return;
  std::free(block);
}

// A block that MPI still uses is copied and kept, even if it is large enough for the new size.
void* program_realloc(void* block, std::size_t bytes) {
  if (block == nullptr || !must_keep(block)) return std::realloc(block, bytes);
  if (bytes == 0) return nullptr;
  void* moved = std::malloc(bytes);
  if (moved != nullptr) std::memcpy(moved, block, std::min(bytes, this_rank().heap->usable_bytes(block)));
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
