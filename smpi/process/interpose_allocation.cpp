// SPDX-License-Identifier: MIT
//
// malloc and similar functions of the program and its libraries (new calls them, too). Large arrays may be folded.
#include <malloc.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "simcore/actor_memory.hpp"
#include "simcore/arena.hpp"
#include "simcore/debug.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"
#include "simcore/support/page.hpp"
#include "smpi/folding.hpp"
#include "smpi/process/allocation.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

// A hash of the active functions of the program, equal in all ranks.
std::uint64_t hash_of_stack(const RankState& rank) {
  std::array<std::uintptr_t, 32> frames{};
  const std::size_t count = capture_stack(frames);
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t offset = frames[i] - reinterpret_cast<std::uintptr_t>(rank.base);
    if (offset < rank.world->range_bytes) hash = hash_with(hash, offset);
  }
  return hash;
}

std::string name_of_allocation() {
  const ProgramPlace place = program_place();
  if (place.frame.file.empty()) return place.frame.function.empty() ? "unknown code" : place.frame.function;
  return fmt::format("{} at {}:{}", place.frame.function, place.frame.file, place.frame.line);
}

void* or_errno(void* block) {
  if (block == nullptr) errno = ENOMEM;
  return block;
}

void* rank_calloc(std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  if (!__builtin_mul_overflow(count, bytes, &total))
    if (void* block = folded_allocation(page_bytes, total); block != nullptr) return block;
  return std::calloc(count, bytes);
}

void* rank_memalign(std::size_t alignment, std::size_t bytes) {
  const bool is_right = alignment != 0 && (alignment & (alignment - 1)) == 0;
  void* block = is_right ? folded_allocation(alignment, bytes) : nullptr;
  return block != nullptr ? block : ::memalign(alignment, bytes);
}

void* rank_valloc(std::size_t bytes) { return rank_memalign(page_bytes, bytes); }
void* rank_pvalloc(std::size_t bytes) { return rank_memalign(page_bytes, page_ceiling(bytes)); }

int rank_posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  const bool is_right = alignment % sizeof(void*) == 0 && (alignment & (alignment - 1)) == 0 && alignment != 0;
  void* made = is_right ? folded_allocation(alignment, bytes) : nullptr;
  if (made == nullptr) return ::posix_memalign(block, alignment, bytes);
  *block = made;
  return 0;
}

}  // namespace

void* folded_allocation(std::size_t alignment, std::size_t bytes) {
  Folding* folding = folding_of_rank();
  if (folding == nullptr || !folding->is_automatic(bytes) || in_host_allocation()) return nullptr;
  RankState& rank = this_rank();
  const int before = errno;
  void* block = nullptr;
  std::array<char, 512> problem{};
  {
    const HostAllocation host;
    const Folding::Place place{hash_of_stack(rank), name_of_allocation};
    const Folding::Owner owner{rank.context.identity.id.value, rank.heap, rank.base,
                               rank.base + rank.world->range_bytes};
    block = folding->allocate(owner, place, alignment, bytes);
    if (block != nullptr && !is_folded({static_cast<const std::byte*>(block), bytes}))
      clear_memory(static_cast<std::byte*>(block), static_cast<std::byte*>(block) + bytes);
    folding->problem().copy(problem.data(), problem.size() - 1);
  }
  if (problem[0] != '\0') fail_rank(FailureKind::given_up, "", problem.data());
  errno = before;
  return block;
}

void* program_malloc(std::size_t bytes) {
  void* block = folded_allocation(page_bytes, bytes);
  return block != nullptr ? block : or_errno(std::malloc(bytes));
}

InterposerList allocation_interposers() {
  return {{"malloc", function_address(program_malloc)},
          {"calloc", function_address(rank_calloc)},
          {"memalign", function_address(rank_memalign)},
          {"aligned_alloc", function_address(rank_memalign)},
          {"posix_memalign", function_address(rank_posix_memalign)},
          {"valloc", function_address(rank_valloc)},
          {"pvalloc", function_address(rank_pvalloc)}};
}

}  // namespace rehearse::smpi
