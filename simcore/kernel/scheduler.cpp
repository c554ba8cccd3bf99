// SPDX-License-Identifier: MIT
//
// See scheduler.hpp.
#include "simcore/kernel/scheduler.hpp"

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <exception>
#include <utility>

#include "simcore/kernel/causality.hpp"
#include "simcore/kernel/code_workers.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/real/entry.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/sanitizer.hpp"

namespace rehearse::sim::kernel {

namespace {

thread_local ActorRecord* running = nullptr;
thread_local Kernel* prepared = nullptr;
thread_local bool in_code = false;  // then `running` is null

ActorRecord& actor_of(ListNode& ready) { return owner_of<ActorRecord, ReadyPlace>(ready); }
Timer& alarm(ActorRecord& actor) { return actor; }

constexpr std::size_t cleared_bytes = std::size_t{8} << 10;  // the calls of an actor use less

// So that functions which the actor calls later find the same bytes where they write nothing.
void clear_dead_stack(const Fiber& fiber) {
  auto* const end = static_cast<std::byte*>(fiber.context);
  if (end <= fiber.stack.bottom) return;  // an overflow, which is reported later
  const auto bytes = std::min(cleared_bytes, static_cast<std::size_t>(end - fiber.stack.bottom));
  std::memset(end - bytes, 0, bytes);
}

}  // namespace

ActorRecord* running_actor() { return running; }

[[gnu::noinline]] void tidy_stack() {
  if (running == nullptr || !running->kernel->scheduler().is_tidy()) return;
  volatile char below[2048];
  for (volatile char& byte : below) byte = 0;
}

Preparing::Preparing(Kernel& kernel) : outer_(std::exchange(prepared, &kernel)) {}

Preparing::~Preparing() { prepared = outer_; }

RunningCode::RunningCode() : actor_(std::exchange(running, nullptr)), was_in_code_(std::exchange(in_code, true)) {}

RunningCode::~RunningCode() {
  running = actor_;
  in_code = was_in_code_;
}

void require_no_code() {
  if (in_code) throw BadUse("the code of a computation cannot use the actor API");
}

Naming& Kernel::naming() {
  if (running != nullptr && running->kernel == this) return running->naming;
  require_no_code();
  return outside_;
}

void strays() {
  if (running != nullptr) running->kernel->world().strays();
  else require_no_code();
}

std::uint64_t name_of_new_object() {
  if (running != nullptr) return running->naming.next();
  require_no_code();
  if (prepared != nullptr) return prepared->naming().next();
  return real::takes_part() ? real::name_of_early_object() : 0;
}

ActorRecord& this_actor_record() {
  require_no_code();
  if (running == nullptr) throw BadUse("this can only be done by an actor");
  return *running;
}

void Scheduler::run_ready() {
  while (!ready_.empty()) run_actor(actor_of(*ready_.next));
}

void Scheduler::run_actor(ActorRecord& actor) {
  ready_place(actor).unlink();
  if (actor.phase == ActorRecord::Phase::to_start) begin(actor);
  if (is_tidy_) clear_dead_stack(actor.fiber);
  ActorRecord* outer = std::exchange(running, &actor);
  switch_fiber(home_, actor.fiber);
  running = outer;
  if (ended_ != nullptr) bury(*std::exchange(ended_, nullptr));
}

// The next ready actor, if actors hand over to each other.
ActorRecord* Scheduler::take_ready() {
  if (sanitized || !in_order_ || ready_.empty()) return nullptr;
  ActorRecord& next = actor_of(*ready_.next);
  ready_place(next).unlink();
  if (next.phase == ActorRecord::Phase::to_start) begin(next);
  return &next;
}

void Scheduler::pause(ActorRecord& self) {
  ActorRecord* next = take_ready();
  if (next == &self) return;
  if (is_tidy_) std::feclearexcept(FE_ALL_EXCEPT);
  running = next;
  switch_fiber(self.fiber, next != nullptr ? next->fiber : home_);
  while (look_ != nullptr) {
    (*look_)();
    switch_fiber(self.fiber, home_);
  }
}

void Scheduler::visit_stack(ActorRecord& actor, const std::function<void()>& look) {
  REHEARSE_ASSERT(actor.phase == ActorRecord::Phase::alive, "an actor with a stack");
  look_ = &look;
  switch_fiber(home_, actor.fiber);
  look_ = nullptr;
}

void Scheduler::withdraw(ActorRecord& self) {
  wait_place(self).unlink();
  if (alarm(self).is_set()) world_.cancel_timer(self);
}

void Scheduler::check(ActorRecord& self) {
  if (!self.doomed) return;
  withdraw(self);
  if (std::uncaught_exceptions() > 0)
    throw CancelError("actor '" + self.name + "' is being killed: its destructors cannot wait");
  throw Killed();
}

void Scheduler::check_stack(ActorRecord& self) {
  const void* here = __builtin_frame_address(0);
  if (!StackSlabs::is_overflown(self.fiber.stack, here) || self.overflown) return;
  withdraw(self);
  self.overflown = true;
  const std::string text =
      fmt::format("the stack of actor '{}' is too small: it has {} bytes; ActorOptions::stack_bytes gives it more",
                  self.name, self.stack_bytes);
  if (StackSlabs::is_lost(self.fiber.stack, here)) internal_error(__FILE__, __LINE__, "stack", text.c_str());
  throw BadUse(text);
}

void Scheduler::block(ActorRecord& self, Waiting waiting, const void* object) {
  tidy_stack();
  self.granted = false;
  check(self);
  check_stack(self);
  self.waiting = waiting;
  self.object = object;
  if (watch_ != nullptr) watch_->begins(self);
  pause(self);
  if (watch_ != nullptr && !self.doomed) watch_->ends(self, waiting, object);
  self.waiting = Waiting::nothing;
  self.object = nullptr;
  check(self);
}

bool Scheduler::block_until(ActorRecord& self, Waiting waiting, const void* object, TimePoint date) {
  if (date != CostModel::never && !self.doomed) world_.set_timer(self, date);
  self.timed_out = false;
  block(self, waiting, object);
  return !self.timed_out;
}

void Scheduler::block_for_lock(ActorRecord& self, Waiting waiting, const void* object) {
  if (!self.doomed || std::uncaught_exceptions() == 0) return block(self, waiting, object);
  self.waiting = waiting;
  self.object = object;
  pause(self);
  self.waiting = Waiting::nothing;
}

void Scheduler::yield(ActorRecord& self) {
  check(self);
  if (in_order_ && ready_.empty()) return;
  make_ready(self);
  block(self, Waiting::turn, nullptr);
}

void Scheduler::let_others_go_first(ActorRecord& self, Waiting waiting, const void* object) {
  tidy_stack();
  make_ready(self);
  const Waiting before = std::exchange(self.waiting, waiting);
  const void* const object_before = std::exchange(self.object, object);
  const bool is_watched = watch_ != nullptr && waiting != Waiting::turn;
  if (is_watched) watch_->begins(self);
  pause(self);
  if (is_watched && !self.doomed) watch_->ends(self, waiting, object);
  self.waiting = before;
  self.object = object_before;
}

void Scheduler::make_ready(ActorRecord& actor) {
  if (actor.suspended && !actor.doomed) actor.parked = true;
  else ready_.push_back(ready_place(actor));
}

void Scheduler::wake(ActorRecord& actor, bool timed_out) {
  if (running != nullptr && running != &actor)
    if (Causality* causality = world_.causality()) causality->orders(*running, actor);
  wait_place(actor).unlink();
  if (alarm(actor).is_set()) world_.cancel_timer(actor);
  actor.timed_out = timed_out;
  actor.granted = !timed_out;
  make_ready(actor);
}

void Scheduler::wake_all(ListNode& waiting) {
  while (!waiting.empty()) wake(owner_of<ActorRecord, WaitPlace>(*waiting.next));
}

StackSlabs& Scheduler::stacks_of(std::size_t bytes) {
  if (bytes == stack_bytes_ && common_stacks_ != nullptr) return *common_stacks_;
  StackSlabs& stacks = stacks_.try_emplace(bytes, bytes).first->second;
  if (bytes == stack_bytes_) common_stacks_ = &stacks;
  return stacks;
}

void Scheduler::begin(ActorRecord& actor) {
  actor.fiber.stack = stacks_of(actor.stack_bytes).acquire();
  prepare(actor.fiber, actor_entry);
  actor.phase = ActorRecord::Phase::alive;
  for (const auto& callback : kernel_.callbacks().on_actor_start) callback(ActorHandle(&actor));
}

void Scheduler::actor_entry(Fiber&) {
  ActorRecord& self = *running;
  Kernel& kernel = *self.kernel;
  Scheduler& scheduler = kernel.scheduler();
  scheduler.run_body(self);
  kernel.actors().end(self);
  scheduler.ended_ = &self;
  running = nullptr;
  switch_fiber(self.fiber, scheduler.home_);
}

// The exception must be destroyed when this returns: the stack is never unwound again.
void Scheduler::run_body(ActorRecord& actor) {
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
    kernel_.note_failure({actor.name, kernel_.host_name(actor.host), failure, kernel_.now().seconds()});
}

void Scheduler::bury(ActorRecord& actor) {
  stacks_of(actor.stack_bytes).release(actor.fiber.stack, actor.deep || actor.overflown);
  actor.fiber.stack = {};
  release(&actor);
}

void Scheduler::leave() {
  ActorRecord& self = this_actor_record();
  self.doomed = true;
  check(self);
  internal_error(__FILE__, __LINE__, "leave", "a doomed actor went on");
}

}  // namespace rehearse::sim::kernel
