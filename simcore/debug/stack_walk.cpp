// SPDX-License-Identifier: MIT
//
// See stack_walk.hpp. The context of a function has the registers at its call, and the end of the called function's
// frame, which is its own stack pointer then. So the end of its own frame follows from the next context.
#include "simcore/stack_walk.hpp"

#include <unwind.h>

#include <optional>

namespace rehearse {
namespace {

struct StackWalk {
  const std::function<bool(const ActiveFrame&)>& visit;
  bool is_started = false;
  std::optional<ActiveFrame> last;  // without its end
};

_Unwind_Reason_Code next_frame(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<StackWalk*>(argument);
  if (!walk.is_started) {  // walk_stack itself
    walk.is_started = true;
    return _URC_NO_REASON;
  }
  const std::uintptr_t stack_pointer = _Unwind_GetCFA(context);
  if (walk.last) {
    walk.last->canonical = stack_pointer;
    if (!walk.visit(*walk.last)) return _URC_NORMAL_STOP;
  }
  const std::uintptr_t returns_to = _Unwind_GetIP(context);
  if (returns_to == 0) return _URC_NORMAL_STOP;
  ActiveFrame& frame = walk.last.emplace();
  frame.address = returns_to - 1;
  frame.begin = stack_pointer;
  constexpr int stack_register = 7;
  for (const int number : {3, 6, 12, 13, 14, 15})
    frame.registers[static_cast<std::size_t>(number)] = _Unwind_GetGR(context, number);
  frame.registers[stack_register] = stack_pointer;
  return _URC_NO_REASON;
}

}  // namespace

[[gnu::noinline]] void walk_stack(const std::function<bool(const ActiveFrame&)>& visit) {
  StackWalk walk{visit, false, {}};
  _Unwind_Backtrace(next_frame, &walk);
}

}  // namespace rehearse
