// SPDX-License-Identifier: MIT
//
// Unwinds the current stack with libunwind.
//
// libunwind's cache is off, because its keys are code addresses, and another Program maps other code at them. It tests
// addresses by system calls that may fail. errno is the running actor's, and stays as it was.
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include <ucontext.h>

#include <array>
#include <cerrno>

#include "simcore/debug.hpp"

namespace rehearse {
namespace {

// If an instruction was interrupted, the first address is exact; otherwise it is a return address like the others.
std::size_t walk(unw_cursor_t& cursor, bool interrupted, std::span<std::uintptr_t> frames) {
  std::size_t count = 0;
  while (count < frames.size()) {
    unw_word_t address = 0;
    if (unw_get_reg(&cursor, UNW_REG_IP, &address) < 0 || address == 0) break;
    frames[count] = count == 0 && interrupted ? address : address - 1;
    ++count;
    if (unw_step(&cursor) <= 0) break;
  }
  return count;
}

// Unwinding happens during its life.
class Unwinding {
 public:
  Unwinding() : errno_before_(errno) { unw_set_caching_policy(unw_local_addr_space, UNW_CACHE_NONE); }
  ~Unwinding() { errno = errno_before_; }
  Unwinding(const Unwinding&) = delete;
  Unwinding& operator=(const Unwinding&) = delete;

 private:
  int errno_before_;
};

}  // namespace

[[gnu::noinline]] std::size_t capture_stack(std::span<std::uintptr_t> frames) {
  const Unwinding unwinding;
  unw_context_t context;
  unw_cursor_t cursor;
  if (unw_getcontext(&context) < 0 || unw_init_local(&cursor, &context) < 0) return 0;
  if (unw_step(&cursor) <= 0) return 0;  // from here to the caller
  return walk(cursor, false, frames);
}

void visit_stack(const std::function<bool(const ActiveFrame&)>& visit) {
  constexpr std::array preserved = {3, 6, 7, 12, 13, 14, 15};
  const Unwinding unwinding;
  unw_context_t context;
  unw_cursor_t cursor;
  if (unw_getcontext(&context) < 0 || unw_init_local(&cursor, &context) < 0) return;
  bool is_outermost = unw_step(&cursor) <= 0;
  while (!is_outermost) {
    ActiveFrame frame;
    unw_word_t address = 0, value = 0;
    if (unw_get_reg(&cursor, UNW_REG_IP, &address) < 0 || address == 0) return;
    frame.address = address - 1;
    for (const int number : preserved) {
      if (unw_get_reg(&cursor, number, &value) < 0) return;
      frame.registers[static_cast<std::size_t>(number)] = value;
    }
    frame.begin = frame.registers[UNW_X86_64_RSP];
    // The caller's stack begins where this frame ends.
    is_outermost = unw_step(&cursor) <= 0;
    if (unw_get_reg(&cursor, UNW_REG_SP, &value) < 0 || is_outermost) return;
    frame.canonical = value;
    frame.saved[frame.saved_count++] = value - sizeof(void*);
    for (const int number : preserved) {
      unw_save_loc_t place;
      if (unw_get_save_loc(&cursor, number, &place) < 0 || place.type != UNW_SLT_MEMORY) continue;
      if (frame.begin <= place.u.addr && place.u.addr < value && frame.saved_count < frame.saved.size())
        frame.saved[frame.saved_count++] = place.u.addr;
    }
    if (!visit(frame)) return;
  }
}

[[gnu::noinline]] std::optional<StackFrame> find_stack_frame(std::uintptr_t address) {
  const Unwinding unwinding;
  unw_context_t context;
  unw_cursor_t cursor;
  if (unw_getcontext(&context) < 0 || unw_init_local(&cursor, &context) < 0) return std::nullopt;
  constexpr int deepest = 1024;
  for (int depth = 0; depth < deepest; ++depth) {
    unw_word_t place = 0, begin = 0, end = 0;
    if (unw_get_reg(&cursor, UNW_REG_IP, &place) < 0 || unw_get_reg(&cursor, UNW_REG_SP, &begin) < 0 ||
        unw_step(&cursor) <= 0 || unw_get_reg(&cursor, UNW_REG_SP, &end) < 0)
      return std::nullopt;
    if (address < begin) return std::nullopt;
    if (address < end) return StackFrame{place - 1, begin, end};
  }
  return std::nullopt;
}

std::size_t capture_interrupted_stack(void* interrupted, std::span<std::uintptr_t> frames) {
  const Unwinding unwinding;
  auto context = *static_cast<ucontext_t*>(interrupted);
  greg_t* registers = context.uc_mcontext.gregs;
  constexpr greg_t first_page_end = 4096;
  // A call of a null function: unwind from its caller, whose address the call pushed.
  if (registers[REG_RIP] < first_page_end) {
    registers[REG_RIP] = *reinterpret_cast<greg_t*>(registers[REG_RSP]) - 1;
    registers[REG_RSP] += 8;
  }
  unw_cursor_t cursor;
  if (unw_init_local2(&cursor, &context, UNW_INIT_SIGNAL_FRAME) < 0) return 0;
  return walk(cursor, true, frames);
}

}  // namespace rehearse
