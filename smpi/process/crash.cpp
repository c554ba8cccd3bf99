// SPDX-License-Identifier: MIT
//
// Signal handlers that turn a rank's crash into Fail.
//
// The handler runs on its own stack, notes the position of the rank, and makes the rank continue in land(), which makes
// the Operation. land() runs below the interrupted frame, which stays readable for reports, or on the emergency stack
// if there is no room.
#include "smpi/process/crash.hpp"

#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>

#include "simcore/debug.hpp"
#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::array crash_signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t signal_stack_bytes = 256 << 10;  // unwinding needs most of it
constexpr std::size_t red_zone = 128;
constexpr greg_t page_fault_by_write = 2;       // of the processor's error code
constexpr std::size_t landing_room = 16 << 10;  // bytes of the rank's stack for land() and a report

// The handlers before ours. A global, because signal handlers have no other way to find them.
struct sigaction previous_actions[65];
alignas(16) std::byte signal_stack[signal_stack_bytes];
OpenMemory open_memory = nullptr;  // the function and its program:
void* closing_program = nullptr;

bool is_stack_overflow(const RankState& rank) {
  const auto base = reinterpret_cast<std::uintptr_t>(rank.base);
  return rank.crash.signal == SIGSEGV && rank.crash.address - base < rank.world->layout.stack_begin;
}

// The name of the part of a rank's private memory at the offset in its range; null: none.
const char* part_name(const RankWorld& world, std::uint64_t offset) {
  const RangeLayout& layout = world.layout;
  if (offset < layout.stack_begin) return nullptr;
  if (offset < layout.stack_end) return "stack";
  if (const Image* image = world.images.find(offset); image != nullptr) return "global variables";
  if (offset < layout.emergency_begin || offset >= layout.heap_end) return nullptr;
  return offset < layout.heap_begin ? "thread-local variables" : "heap";
}

// Memory of another rank that a rank touched.
struct Foreign {
  std::uint64_t owner = 0;
  const char* part = nullptr;  // null: it touched none
};
Foreign find_foreign(const RankState& rank) {
  const RankWorld& world = *rank.world;
  const std::uint32_t id = rank.context.identity.id.value;
  const std::uint64_t offset = rank.crash.address -
                               (reinterpret_cast<std::uintptr_t>(rank.base) - id * world.range_bytes);
  const std::uint64_t owner = offset / world.range_bytes;
  if (rank.crash.signal != SIGSEGV || rank.crash.code != SEGV_ACCERR || owner == id || owner >= world.actors) return {};
  return {owner, part_name(world, offset % world.range_bytes)};
}

const char* fault_name(int code) {
  switch (code) {
    case FPE_INTDIV: return "integer division by zero";
    case FPE_INTOVF: return "integer overflow";
    case FPE_FLTDIV: return "floating-point division by zero";
    case FPE_FLTOVF: return "floating-point overflow";
    case FPE_FLTUND: return "floating-point underflow";
    case FPE_FLTINV: return "invalid floating-point operation";
    default: return "arithmetic exception";
  }
}

// The id of the finding for a crash, and its message in `text`.
std::string_view explain(const RankState& rank, std::span<char> text) {
  const CrashSite& crash = rank.crash;
  auto print = [&](const char* format, auto... values) { std::snprintf(text.data(), text.size(), format, values...); };
  if (is_stack_overflow(rank)) {
    print("stack overflow: the stack of %zu bytes is used up",
          static_cast<std::size_t>(rank.world->layout.stack_end - rank.world->layout.stack_begin));
    return "crash.stack_overflow";
  }
  if (const Foreign foreign = find_foreign(rank); foreign.part != nullptr) {
    print("%s the memory of rank %u (its %s, at %#zx), which no other rank may use",
          crash.wrote ? "writes into" : "reads", static_cast<unsigned>(foreign.owner), foreign.part,
          static_cast<std::size_t>(crash.address));
    return "crash.foreign_memory";
  }
  const char* kind = crash.signal == SIGBUS ? "bus error" : "segmentation fault";
  switch (crash.signal) {
    case SIGFPE: print("%s", fault_name(crash.code)); return "crash.fpe";
    case SIGILL: print("illegal instruction"); return "crash.illegal_instruction";
    case SIGABRT: print("aborted by the C library"); return "crash.abort";
    default: break;
  }
  if (crash.code == SI_KERNEL) print("%s: access to an impossible address", kind);
  else
    print("%s: invalid access to address %#zx%s", kind, static_cast<std::size_t>(crash.address),
          crash.address < 4096 ? " (null pointer)" : "");
  return "crash.segfault";
}

[[noreturn]] void land(RankState* rank) {
  char text[160];
  const std::string_view id = explain(*rank, text);
  fail_rank(FailureKind::crash, id, text);
}

std::byte* landing_stack(const RankState& rank, std::uintptr_t stack_pointer) {
  auto* here = reinterpret_cast<std::byte*>(stack_pointer);
  for (const StackSpan& stack : {rank.context.stack, rank.thread_stack})
    if (here > stack.bottom + landing_room && here <= stack.top) return here - red_zone;
  return rank.base + rank.world->layout.emergency_end;
}

void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction& previous = previous_actions[signal];
  if ((previous.sa_flags & SA_SIGINFO) != 0) return previous.sa_sigaction(signal, info, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) return previous.sa_handler(signal);
  sigaction(signal, &previous, nullptr);  // returning repeats the fault, which then is fatal
  if (signal == SIGABRT) raise(signal);
}

void on_crash(int signal, siginfo_t* info, void* raw) {
  RankState* rank = running_rank();
  if (rank == nullptr && signal == SIGSEGV && open_memory != nullptr && open_memory(closing_program, info->si_addr))
    return;
  if (rank == nullptr || rank->crash.signal != 0) return pass_on(signal, info, raw);
  divert(*rank, info, raw, land);
}

}  // namespace

void divert(RankState& rank, siginfo_t* info, void* raw, void (*landing)(RankState*)) {
  HostAllocation host;
  auto& registers = static_cast<ucontext_t*>(raw)->uc_mcontext.gregs;
  rank.crash.signal = info->si_signo;
  rank.crash.code = info->si_code;
  rank.crash.wrote = (registers[REG_ERR] & page_fault_by_write) != 0;
  rank.crash.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  rank.crash.frame_count = capture_interrupted_stack(raw, rank.crash.frames);
  constexpr int kept[] = {REG_RSP, REG_RIP, REG_RBP, REG_RBX, REG_R12, REG_R13, REG_R14, REG_R15};
  for (std::size_t i = 0; i < std::size(kept); ++i)
    rank.crash.interrupted[i] = static_cast<std::uintptr_t>(registers[kept[i]]);
  std::byte* stack = landing_stack(rank, static_cast<std::uintptr_t>(registers[REG_RSP]));
  auto top = reinterpret_cast<std::uintptr_t>(stack) / 16 * 16 - sizeof(std::uintptr_t);
  std::memset(reinterpret_cast<void*>(top), 0, sizeof(std::uintptr_t));  // the return address: none
  constexpr greg_t direction_flag = 0x400;
  registers[REG_RSP] = static_cast<greg_t>(top);
  registers[REG_RBP] = 0;
  registers[REG_EFL] &= ~direction_flag;
  registers[REG_RDI] = reinterpret_cast<greg_t>(&rank);
  registers[REG_RIP] = reinterpret_cast<greg_t>(landing);
}

void open_when_touched(OpenMemory open, void* program) {
  open_memory = open;
  closing_program = program;
}

bool has_touched_others(const RankState& rank) { return find_foreign(rank).part != nullptr; }

void catch_crashes() {
  stack_t stack{};
  sigaltstack(nullptr, &stack);
  if ((stack.ss_flags & SS_DISABLE) != 0 || stack.ss_size < signal_stack_bytes) {
    stack = {signal_stack, 0, signal_stack_bytes};
    sigaltstack(&stack, nullptr);
  }
  struct sigaction ours {};
  ours.sa_sigaction = on_crash;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  for (int signal : crash_signals) {
    struct sigaction current {};
    sigaction(signal, nullptr, &current);
    if ((current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == on_crash) continue;
    previous_actions[signal] = current;
    sigaction(signal, &ours, nullptr);
  }
}

}  // namespace rehearse::smpi
