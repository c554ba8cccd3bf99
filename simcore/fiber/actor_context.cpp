// SPDX-License-Identifier: MIT
//
// Switches between a driver and its actors, and lets an actor run ahead.
//
// Protocol: each switch into a fiber passes a Message on the driver's stack: an answer, or a function to run on the
//           fiber (introspection). The waiting loop is the only place where an actor is suspended.
// Threads:  the current actor is thread-local, so that a library call with a C signature finds its actor.
#include "simcore/actor_context.hpp"

#include <utility>

#include <boost/context/detail/fcontext.hpp>

#include "simcore/actor.hpp"
#include "simcore/ahead_queue.hpp"
#include "simcore/application_meter.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/sanitizer.hpp"

namespace rehearse {
namespace {

namespace fc = boost::context::detail;

struct Message {
  ActorContext* actor = nullptr;
  const Observation* answer = nullptr;
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
};

// Suspends the calling actor until it gets an answer. Meanwhile it runs visits.
const Message& wait_for_answer(ActorContext& self) {
  while (true) {
    SanitizerSwitch from_actor(nullptr, 0);
    const fc::transfer_t transfer = fc::jump_fcontext(self.driver, nullptr);
    from_actor.arrived();
    self.driver = transfer.fctx;
    const auto& message = *static_cast<const Message*>(transfer.data);
    if (message.function == nullptr) return message;
    message.function(message.argument);
  }
}

void fiber_entry(fc::transfer_t transfer) {
  SanitizerSwitch::first_arrival();
  ActorContext& self = *static_cast<const Message*>(transfer.data)->actor;
  self.driver = transfer.fctx;
  self.body(self);
  internal_error(__FILE__, __LINE__, "self.body(self)", "an actor's body returned");
}

void switch_to(ActorContext& actor, Message& message) {
  message.actor = &actor;
  SanitizerSwitch to_actor(actor.stack.bottom, actor.stack.bytes());
  const fc::transfer_t transfer = fc::jump_fcontext(actor.suspended, &message);
  to_actor.arrived();
  actor.suspended = transfer.fctx;
  actor.driver = nullptr;  // a snapshot must not depend on the driver
}

constexpr Observation nothing_known;

}  // namespace

constinit thread_local ActorIdentity* detail::current_identity = nullptr;

void prepare(ActorContext& actor) {
  REHEARSE_ASSERT(actor.body != nullptr && actor.stack.top != nullptr, "an actor without body or stack");
  actor.operation = nullptr;
  actor.identity.slot = nullptr;
  forget_frames(actor.stack.bottom, actor.stack.bytes());
  actor.suspended = fc::make_fcontext(actor.stack.top, actor.stack.bytes(), fiber_entry);
}

void enter(ActorContext& actor, const Observation* answer) {
  REHEARSE_ASSERT((answer == nullptr) == (actor.operation == nullptr),
                  "an actor gets an answer if and only if it has asked");
  Message message;
  message.answer = answer;
  switch_to(actor, message);
}

void visit(ActorContext& actor, void (*function)(void*), void* argument) {
  REHEARSE_ASSERT(actor.operation != nullptr, "only an actor that has asked can be visited");
  Message message;
  message.function = function;
  message.argument = argument;
  switch_to(actor, message);
}

const std::byte* stack_pointer(const ActorContext& actor) { return static_cast<const std::byte*>(actor.suspended); }

const void* switch_code() { return reinterpret_cast<const void*>(&fc::jump_fcontext); }

// A context begins with its identity.
static_assert(offsetof(ActorContext, identity) == 0);
ActorContext* current_context() { return reinterpret_cast<ActorContext*>(detail::current_identity); }
void set_current_context(ActorContext* actor) {
  detail::current_identity = actor == nullptr ? nullptr : &actor->identity;
}

void begin_application(const ActorContext& actor) {
  if (actor.meter != nullptr) actor.meter->go();
}

LibraryCode::LibraryCode(Length length) : length_(length) {
  const ActorContext* self = current_context();
  ApplicationMeter* meter = self == nullptr ? nullptr : self->meter;
  if (meter == nullptr) return;
  const bool brief = length == Length::brief;
  if (brief && !meter->measures_brief()) return;
  if (brief ? meter->pause_for_brief() : meter->pause()) paused_ = meter;
}

LibraryCode::~LibraryCode() {
  if (paused_ == nullptr) return;
  if (length_ == Length::brief) paused_->go_after_brief();
  else paused_->go();
}

const Observation& ask(const Operation& operation) {
  REHEARSE_ASSERT(detail::current_identity != nullptr, "ask() outside of an actor");
  ActorContext& self = *current_context();
  const LibraryCode waiting;
  if (self.before_asking != nullptr)
    if (const Observation* answer = self.before_asking(self, operation)) return *answer;
  if (self.ahead != nullptr && self.ahead->keep(operation, self.meter, self.identity.slot)) return nothing_known;
  self.operation = &operation;
  const bool last = std::holds_alternative<End>(operation) || std::holds_alternative<Fail>(operation);
  const Message& message = wait_for_answer(self);
  if (self.meter != nullptr) self.meter->note_switch();
  REHEARSE_ASSERT(!last, "an actor was resumed after its last operation");
  if (self.when_lost != nullptr) [[unlikely]]
    std::exchange(self.when_lost, nullptr)(self.why_lost);
  return *message.answer;
}

ActorLists& actor_lists() {
  const ActorContext* self = current_context();
  REHEARSE_ASSERT(self != nullptr && self->lists != nullptr, "an actor of a program without lists");
  return *self->lists;
}

const char* kind_name(const Operation& operation) {
  constexpr const char* names[] = {"send",   "post",    "observe", "probe",  "collective", "access", "traffic",
                                   "settle", "storage", "work",    "await",  "release",    "choose", "compute",
                                   "sleep",  "clock",   "log",     "report", "fail",       "end"};
  static_assert(std::size(names) == std::variant_size_v<Operation>);
  return names[operation.index()];
}

}  // namespace rehearse
