// SPDX-License-Identifier: MIT
//
// Who runs: the ready list, blocking, waking, and the life of an actor's stack.
#include <exception>
#include <utility>

#include "simcore/kernel/kernel.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/sanitizer.hpp"

namespace rehearse::sim::kernel {
namespace {

thread_local ActorRecord* running = nullptr;
thread_local Kernel* prepared = nullptr;

ActorRecord& actor_of(ListNode& ready) { return owner_of<ActorRecord, ReadyPlace>(ready); }
Timer& alarm(ActorRecord& actor) { return actor; }

}  // namespace

ActorRecord* running_actor() { return running; }

Preparing::Preparing(Kernel& kernel) : outer_(std::exchange(prepared, &kernel)) {}
Preparing::~Preparing() { prepared = outer_; }

Naming& Kernel::naming() { return running != nullptr && running->kernel == this ? running->naming : outside_; }

void strays() {
  if (running != nullptr) running->kernel->world().strays();
}

std::uint64_t name_of_new_object() {
  if (running != nullptr) return running->naming.next();
  return prepared != nullptr ? prepared->naming().next() : 0;
}

ActorRecord& this_actor_record() {
  if (running == nullptr) throw BadUse("this can only be done by an actor");
  return *running;
}

void Kernel::run_ready() {
  while (!ready_.empty()) run_actor(actor_of(*ready_.next));
}

void Kernel::run_actor(ActorRecord& actor) {
  ready_place(actor).unlink();
  if (actor.phase == ActorRecord::Phase::to_start) begin(actor);
  ActorRecord* outer = std::exchange(running, &actor);
  switch_fiber(scheduler_, actor.fiber);
  running = outer;
  if (ended_ != nullptr) bury(*std::exchange(ended_, nullptr));
}

// The next one that can run, if actors hand over to each other.
ActorRecord* Kernel::take_ready() {
  if (sanitized || !in_order_ || ready_.empty()) return nullptr;
  ActorRecord& next = actor_of(*ready_.next);
  ready_place(next).unlink();
  if (next.phase == ActorRecord::Phase::to_start) begin(next);
  return &next;
}

void Kernel::pause(ActorRecord& self) {
  ActorRecord* next = take_ready();
  if (next == &self) return;
  running = next;
  switch_fiber(self.fiber, next != nullptr ? next->fiber : scheduler_);
}

void Kernel::withdraw(ActorRecord& self) {
  wait_place(self).unlink();
  if (alarm(self).is_set()) world_->cancel_timer(self);
}

void Kernel::check(ActorRecord& self) {
  if (!self.doomed) return;
  withdraw(self);
  if (std::uncaught_exceptions() > 0)
    throw CancelError("actor '" + self.name + "' is being killed: its destructors cannot wait");
  throw Killed();
}

void Kernel::check_stack(ActorRecord& self) {
  const void* here = __builtin_frame_address(0);
  if (!StackSlabs::is_overflown(self.fiber.stack, here) || self.overflown) return;
  withdraw(self);
  self.overflown = true;
  const std::string text = "the stack of actor '" + self.name + "' is too small: it has " +
                           std::to_string(self.stack_bytes) + " bytes; ActorOptions::stack_bytes gives it more";
  if (StackSlabs::is_lost(self.fiber.stack, here)) internal_error(__FILE__, __LINE__, "stack", text.c_str());
  throw BadUse(text);
}

void Kernel::block(ActorRecord& self, Waiting waiting, const void* object) {
  self.granted = false;
  check(self);
  check_stack(self);
  self.waiting = waiting;
  self.object = object;
  pause(self);
  self.waiting = Waiting::nothing;
  check(self);
}

bool Kernel::block_until(ActorRecord& self, Waiting waiting, const void* object, TimePoint date) {
  if (date != CostModel::never && !self.doomed) world_->set_timer(self, date);
  self.timed_out = false;
  block(self, waiting, object);
  return !self.timed_out;
}

void Kernel::block_for_lock(ActorRecord& self, Waiting waiting, const void* object) {
  if (!self.doomed || std::uncaught_exceptions() == 0) return block(self, waiting, object);
  self.waiting = waiting;
  self.object = object;
  pause(self);
  self.waiting = Waiting::nothing;
}

void Kernel::yield(ActorRecord& self) {
  check(self);
  if (in_order_ && ready_.empty()) return;
  make_ready(self);
  block(self, Waiting::turn, nullptr);
}

void Kernel::let_others_go_first(ActorRecord& self, Waiting waiting, const void* object) {
  make_ready(self);
  const Waiting before = std::exchange(self.waiting, waiting);
  const void* const object_before = std::exchange(self.object, object);
  pause(self);
  self.waiting = before;
  self.object = object_before;
}

void Kernel::make_ready(ActorRecord& actor) {
  if (actor.suspended && !actor.doomed) actor.parked = true;
  else ready_.push_back(ready_place(actor));
}

void Kernel::wake(ActorRecord& actor, bool timed_out) {
  wait_place(actor).unlink();
  if (alarm(actor).is_set()) world_->cancel_timer(actor);
  actor.timed_out = timed_out;
  actor.granted = !timed_out;
  make_ready(actor);
}

void Kernel::wake_all(ListNode& waiting) {
  while (!waiting.empty()) wake(owner_of<ActorRecord, WaitPlace>(*waiting.next));
}

StackSlabs& Kernel::stacks_of(std::size_t bytes) {
  if (bytes == stack_bytes_ && common_stacks_ != nullptr) return *common_stacks_;
  StackSlabs& stacks = stacks_.try_emplace(bytes, bytes).first->second;
  if (bytes == stack_bytes_) common_stacks_ = &stacks;
  return stacks;
}

void Kernel::begin(ActorRecord& actor) {
  actor.fiber.stack = stacks_of(actor.stack_bytes).acquire();
  prepare(actor.fiber, actor_entry);
  actor.phase = ActorRecord::Phase::alive;
  for (const auto& callback : callbacks_.on_actor_start) callback(ActorHandle(&actor));
}

void Kernel::actor_entry(Fiber&) {
  ActorRecord& self = *running;
  Kernel& kernel = *self.kernel;
  kernel.run_body(self);
  kernel.end_actor(self);
  kernel.ended_ = &self;
  running = nullptr;
  switch_fiber(self.fiber, kernel.scheduler_);
}

// Nothing of an exception may be left when this returns: the stack is never unwound again.
void Kernel::run_body(ActorRecord& actor) {
  std::string failure;
  bool failed = true;
  try {
    if (!actor.doomed) actor.function();
    failed = false;
  } catch (const Killed&) {
    failed = false;
  } catch (const std::exception& exception) {
    failure = exception.what();
  } catch (...) {
    failure = "something that is not a std::exception";
  }
  actor.deep = actor.deep || failed || actor.doomed;
  if (failed && !actor.doomed)
    failed_.push_back({actor.name, host_name(actor.host), failure, now().seconds()});
}

void Kernel::bury(ActorRecord& actor) {
  stacks_of(actor.stack_bytes).release(actor.fiber.stack, actor.deep || actor.overflown);
  actor.fiber.stack = {};
  release(&actor);
}

void Kernel::leave() {
  ActorRecord& self = this_actor_record();
  self.doomed = true;
  check(self);
  internal_error(__FILE__, __LINE__, "leave", "a doomed actor went on");
}

}  // namespace rehearse::sim::kernel
