// SPDX-License-Identifier: MIT
//
// Switches with the jump function of Boost.Context, which saves only the callee-saved registers.
#include "simcore/fiber.hpp"

#include <boost/context/detail/fcontext.hpp>

#include "simcore/fiber/exception_globals.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/sanitizer.hpp"

namespace rehearse {
namespace {

namespace fc = boost::context::detail;

struct Arrival {
  Fiber* from;
  Fiber* to;
};

void plain_fiber_entry(fc::transfer_t transfer) {
  SanitizerSwitch::first_arrival();
  const Arrival arrival = *static_cast<const Arrival*>(transfer.data);
  arrival.from->context = transfer.fctx;
  arrival.to->entry(*arrival.to);
  internal_error(__FILE__, __LINE__, "entry", "a fiber's entry returned");
}

}  // namespace

void prepare(Fiber& fiber, void (*entry)(Fiber&)) {
  REHEARSE_ASSERT(fiber.stack.top != nullptr, "a fiber without stack");
  forget_frames(fiber.stack.bottom, fiber.stack.bytes());
  fiber.context = fc::make_fcontext(fiber.stack.top, fiber.stack.bytes(), plain_fiber_entry);
  fiber.entry = entry;
  fiber.caught = nullptr;
  fiber.uncaught = 0;
}

void switch_fiber(Fiber& from, Fiber& to) {
  ExceptionGlobals& globals = exception_globals();
  from.caught = globals.caught;
  from.uncaught = globals.uncaught;
  globals = {to.caught, to.uncaught};
  Arrival arrival{&from, &to};
  SanitizerSwitch left(to.stack.bottom, to.stack.bytes());
  const fc::transfer_t transfer = fc::jump_fcontext(to.context, &arrival);
  left.arrived();
  static_cast<const Arrival*>(transfer.data)->from->context = transfer.fctx;
}

}  // namespace rehearse
