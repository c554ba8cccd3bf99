// SPDX-License-Identifier: MIT
//
// Clears the dead stack without a call that would leave new data there.
#include "smpi/abi/dead_stack.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "smpi/abi/clear_after.hpp"
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

// A call's depth below the address, but not below the stack; a multiple of 8.
std::byte* aligned_below(std::byte* address, const std::byte* bottom) {
  const auto room = static_cast<std::size_t>(address - bottom);
  std::byte* low = address - std::min(room, call_depth_bytes);
  return low + (8 - reinterpret_cast<std::uintptr_t>(low) % 8) % 8;
}

}  // namespace

constinit thread_local RankState* detail::clearing_rank = nullptr;
[[gnu::used]] constinit thread_local detail::ClearedCallers detail::cleared_callers;

void begin_clearing(RankState& rank) {
  if (rank.dead_stack == nullptr) return;
  detail::clearing_rank = &rank;
  const StackSpan& stack = rank.context.stack;
  detail::cleared_callers.lowest = reinterpret_cast<std::uintptr_t>(stack.bottom) + call_depth_bytes;
  detail::cleared_callers.end = reinterpret_cast<std::uintptr_t>(stack.top);
}

// Uses r10, r11 and the high vector registers, which have no arguments. A function without a frame: only assembly.
static_assert(call_depth_bytes == 4096 && sizeof(detail::ClearedCallers) == 16);
extern "C" [[gnu::naked, gnu::used]] void rehearse_clear_for_call() {
  asm("movq rehearse_cleared_callers@gottpoff(%rip), %r10\n\t"
      "cmpq %fs:(%r10), %rsp\n\t"
      "jb 1f\n\t"
      "cmpq %fs:8(%r10), %rsp\n\t"
      "jae 1f\n\t"
      "movq %rdi, %xmm15\n\t"
      "movq %rcx, %xmm14\n\t"
      "movq %rax, %r11\n\t"
      "leaq -4096(%rsp), %rdi\n\t"
      "movl $512, %ecx\n\t"
      "xorl %eax, %eax\n\t"
      "rep stosq\n\t"
      "movq %r11, %rax\n\t"
      "movq %xmm14, %rcx\n\t"
      "movq %xmm15, %rdi\n"
      "1:\n\t"
      "ret");
}

[[gnu::noinline]] void DeadStack::begin(Below below) {
  auto* here = static_cast<std::byte*>(__builtin_frame_address(0));
  const StackSpan& stack = rank_->context.stack;
  if (here < stack.bottom || here >= stack.top) {
    rank_ = nullptr;
    return;
  }
  std::byte*& lowest = rank_->dead_stack->lowest;
  lowest = lowest == nullptr ? here : std::min(lowest, here);
  if (below == Below::unknown) clear_down_to(aligned_below(here, stack.bottom));
}

[[gnu::noinline]] void DeadStack::end() {
  auto* here = static_cast<std::byte*>(__builtin_frame_address(0));
  std::byte*& lowest = rank_->dead_stack->lowest;
  std::byte* low = aligned_below(lowest, rank_->context.stack.bottom);
  lowest = here;
  clear_down_to(low);
}

// The function must have a frame of its own.
[[gnu::noipa]] void detail::run_and_clear(void (*function)(void*), void* argument) {
  function(argument);
  const RankState* rank = clearing_rank;
  if (rank == nullptr) return;
  auto* here = static_cast<std::byte*>(__builtin_frame_address(0));
  const StackSpan& stack = rank->context.stack;
  if (here >= stack.bottom && here < stack.top) clear_down_to(aligned_below(here, stack.bottom));
}

[[gnu::noinline]] void clear_dead_stack() {
  constexpr std::size_t deep_enough = 2048;  // bytes
  std::byte below[deep_enough];
  std::memset(below, 0, sizeof below);
  asm volatile("" : : "r"(below) : "memory");  // the compiler must keep the stores
}

}  // namespace rehearse::smpi
