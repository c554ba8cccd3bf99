// SPDX-License-Identifier: MIT
//
// Clears the dead stack without a call that would leave new data there.
#include "smpi/abi/dead_stack.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {
namespace {

// Clears from the calling function's frame down to `low`, a multiple of 8. Calls no other function (such as memset),
// because its frame would stay uncleared.
[[gnu::noinline]] void clear_down_to(std::byte* low) {
  asm volatile("movq %%rsp, %%rcx\n\t"
               "subq %%rdi, %%rcx\n\t"
               "jbe 1f\n\t"
               "shrq $3, %%rcx\n\t"
               "rep stosq\n"
               "1:"
               : "+D"(low)
               : "a"(0)
               : "rcx", "memory", "cc");
}

}  // namespace

constinit thread_local RankState* detail::clearing_rank = nullptr;

void begin_clearing(RankState& rank) { detail::clearing_rank = rank.dead_stack == nullptr ? nullptr : &rank; }

[[gnu::noinline]] void DeadStack::begin() {
  auto* here = static_cast<std::byte*>(__builtin_frame_address(0));
  const StackSpan& stack = rank_->context.stack;
  if (here < stack.bottom || here >= stack.top) {
    rank_ = nullptr;
    return;
  }
  std::byte*& lowest = rank_->dead_stack->lowest;
  lowest = lowest == nullptr ? here : std::min(lowest, here);
}

[[gnu::noinline]] void DeadStack::end() {
  auto* here = static_cast<std::byte*>(__builtin_frame_address(0));
  std::byte*& lowest = rank_->dead_stack->lowest;
  const std::byte* bottom = rank_->context.stack.bottom;
  const auto room = static_cast<std::size_t>(lowest - bottom);
  std::byte* low = lowest - std::min(room, call_depth_bytes);
  lowest = here;
  clear_down_to(low + (8 - reinterpret_cast<std::uintptr_t>(low) % 8) % 8);
}

[[gnu::noinline]] void clear_dead_stack() {
  constexpr std::size_t deep_enough = 2048;  // bytes
  std::byte below[deep_enough];
  std::memset(below, 0, sizeof below);
  asm volatile("" : : "r"(below) : "memory");  // the compiler must keep the stores
}

}  // namespace rehearse::smpi
