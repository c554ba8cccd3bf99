// SPDX-License-Identifier: MIT
//
// Clears the parts of rank stacks that the ranks' MPI calls do not clear (smpi/abi/dead_stack.hpp): deeper parts, and
// those left after a restore.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "smpi/abi/dead_stack.hpp"
#include "smpi/process/rank_program.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t red_zone_bytes = 128;  // x86-64 System V ABI: below the stack pointer, and still needed
constexpr std::size_t checked_bytes = 1024;  // bytes; the rank's own code cannot go deeper without writing here

// Ignores up to seven bytes at the end.
bool is_zero(const std::byte* begin, const std::byte* end) {
  std::uint64_t all = 0;
  for (; end - begin >= 8; begin += 8) {
    std::uint64_t word;
    std::memcpy(&word, begin, sizeof word);
    all |= word;
  }
  return all == 0;
}

std::byte* main_position(const RankState& rank) { return const_cast<std::byte*>(main_stack_pointer(rank)); }

std::byte* below(std::byte* address, std::size_t bytes, const std::byte* bottom) {
  return address - std::min(bytes, static_cast<std::size_t>(address - bottom));
}

}  // namespace

// The result is below all stack that the rank's calls used or need. The bytes below it show whether the rank's own code
// went deeper.
RankProgram::DeadPart RankProgram::dead_part(const RankState& rank) {
  const StackSpan& stack = rank.context.stack;
  std::byte* low = main_position(rank);
  if (low < stack.bottom || low >= stack.top) return {};  // it crashed, and is on its emergency stack
  if (rank.dead_stack->lowest != nullptr) low = std::min(low, rank.dead_stack->lowest);
  low = below(low, call_depth_bytes, stack.bottom);
  return is_zero(below(low, checked_bytes, stack.bottom), low) ? DeadPart{low} : DeadPart{};
}

void RankProgram::clear_below(const RankState& rank, std::byte* kept, DeadPart dead) {
  if (dead.begin == nullptr) clear_memory(rank.context.stack.bottom, kept);
  else if (dead.begin < kept) std::memset(dead.begin, 0, static_cast<std::size_t>(kept - dead.begin));
  rank.dead_stack->lowest = nullptr;
}

// Call it before the suspended rank continues. Its MPI call will clear a short part below the current position; deeper
// data of the rank's own code is cleared now.
void RankProgram::prepare_dead_stack(RankState& rank) {
  const StackSpan& stack = rank.context.stack;
  auto* stands_at = main_position(rank);
  if (stands_at <= stack.bottom + red_zone_bytes || stands_at >= stack.top) return;
  if (dead_part(rank).begin == nullptr) clear_below(rank, stands_at - red_zone_bytes, {});
  std::byte*& lowest = rank.dead_stack->lowest;
  lowest = lowest == nullptr ? stands_at : std::min(lowest, stands_at);
}

void RankProgram::restore(ActorId actor, const Snapshot& snapshot) {
  if (is_server(actor)) return restore_names(snapshot);
  const Rank& rank = at(actor);
  if (!world_->spec.clear_dead_memory) return rank.memory->restore(snapshot);
  const DeadPart dead = dead_part(*rank.state);
  rank.memory->restore(snapshot);
  clear_below(*rank.state, main_position(*rank.state) - red_zone_bytes, dead);
}

}  // namespace rehearse::smpi
