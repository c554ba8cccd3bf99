// SPDX-License-Identifier: MIT
//
// See thread_turns.hpp.
#include "smpi/process/thread_turns.hpp"

#include <cpuid.h>
#include <ucontext.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "smpi/abi/call_scope.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/rank_state.hpp"
#include "smpi/process/rank_threads.hpp"

extern "C" {
[[gnu::visibility("hidden")]] void rehearse_give_way();
[[gnu::visibility("hidden")]] void rehearse_end_turn();
}

// On the stack are the size of the state of the vector units, the address to return to, and the System V red zone of
// the interrupted function. That state has the form of the XSAVE instruction. It is all but the keys of pages
// (component 9), which belong to the process.
asm(R"(
  .text
  .p2align 4
  .hidden rehearse_end_turn
  .globl rehearse_end_turn
  .type rehearse_end_turn, @function
rehearse_end_turn:
  pushfq
  cld
  pushq %rbp
  movq %rsp, %rbp
  pushq %rax
  pushq %rbx
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq 16(%rbp), %rsp
  andq $-64, %rsp
  xorl %eax, %eax
  movq %rax, 512(%rsp)
  movq %rax, 520(%rsp)
  movq %rax, 528(%rsp)
  movq %rax, 536(%rsp)
  movq %rax, 544(%rsp)
  movq %rax, 552(%rsp)
  movq %rax, 560(%rsp)
  movq %rax, 568(%rsp)
  movl $0xfffffdff, %eax
  movl $0xffffffff, %edx
  xsave64 (%rsp)
  emms
  call rehearse_give_way
  movl $0xfffffdff, %eax
  movl $0xffffffff, %edx
  xrstor64 (%rsp)
  leaq -112(%rbp), %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %rbx
  popq %rax
  popq %rbp
  popfq
  leaq 8(%rsp), %rsp
  ret $128
  .size rehearse_end_turn, .-rehearse_end_turn
)");

namespace rehearse::smpi {
namespace {

constexpr double long_turn = 1, short_turn = 0.004;  // seconds
constexpr std::uint64_t near = 256;                  // bytes of code: a loop
constexpr greg_t red_zone = 128;

bool is_known(const ThreadTurn& turn, std::uint64_t place) {
  const auto end = turn.places.begin() + static_cast<std::ptrdiff_t>(std::min(turn.noted, turn.places.size()));
  return std::any_of(turn.places.begin(), end,
                     [place](std::uint64_t known) { return place - known + near <= 2 * near; });
}

bool is_in_call() {
  const auto* chain = find_per_rank<CallChain>();
  return chain != nullptr && chain->innermost != nullptr;
}

}  // namespace

std::uint64_t vector_state_bytes() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0) return 0;
  return __get_cpuid_count(0xd, 0, &a, &b, &c, &d) == 0 ? 0 : b;
}

bool can_end_turns(const ThreadTurn& turn) { return turn.vector_bytes != 0 && !is_in_call(); }

bool has_waiting_threads(const RankState& rank, const void* code) {
  return rank.covers(code) && !is_in_call() && others_could_run();
}

bool is_turn_over(ThreadTurn& turn, const RankState& rank, const void* code, std::uint64_t step, double processor) {
  const auto* threads = find_per_rank<RankThreads>();
  const auto place = static_cast<std::uint64_t>(static_cast<const std::byte*>(code) - rank.base);
  if (turn.of != threads || turn.step != step || turn.switches != threads->switches) {
    turn.of = threads;
    turn.step = step;
    turn.switches = threads->switches;
    turn.began = processor;
    return false;
  }
  const bool is_place_known = is_known(turn, place);
  if (processor - turn.began < (is_place_known ? short_turn : long_turn)) return false;
  if (!is_place_known) turn.places[turn.noted++ % turn.places.size()] = place;
  return true;
}

double note_end(const ThreadTurn& turn, double processor) {
  auto* threads = find_per_rank<RankThreads>();
  if (threads == nullptr || !threads->apart) return 0;  // a turn is no step of the rank, so the step limit counts it
  return threads->looped += processor - turn.began;
}

void end_turn(const ThreadTurn& turn, void* context) {
  if (turn.vector_bytes == 0) return;
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const std::array<std::uint64_t, 2> words = {turn.vector_bytes, static_cast<std::uint64_t>(registers[REG_RIP])};
  registers[REG_RSP] -= red_zone + static_cast<greg_t>(sizeof words);
  std::memcpy(reinterpret_cast<void*>(registers[REG_RSP]), words.data(), sizeof words);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&rehearse_end_turn);
}

}  // namespace rehearse::smpi

// Only the assembler code calls it, which link-time optimization does not see.
[[gnu::used]] void rehearse_give_way() {
  const int error = errno;
  rehearse::smpi::give_way();
  errno = error;
}
