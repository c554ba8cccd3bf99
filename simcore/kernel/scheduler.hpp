// SPDX-License-Identifier: MIT
//
// The ready actors, blocking and waking, and the stacks.
//
// Protocol: block() and similar functions are called on an actor's own stack; the others from anywhere. An actor runs
//           until it blocks. When a doomed actor blocks, the call throws Killed. While the actor is being unwound, it
//           waits for locks nevertheless, but any other wait throws CancelError.
// Order:    first ready, first run.
// Errors:   a stack overflow is BadUse on that stack; if memory of other stacks may be damaged, the process ends.
#pragma once

#include <cstddef>
#include <functional>
#include <map>

#include "simcore/fiber/stack_slabs.hpp"
#include "simcore/kernel/records.hpp"
#include "simcore/kernel/world.hpp"

namespace rehearse::sim::kernel {

// Called on the stack of the actor.
class WaitWatch {
 public:
  virtual ~WaitWatch() = default;
  virtual void begins(const ActorRecord& actor) = 0;
  virtual void ends(const ActorRecord& actor, Waiting waiting, const void* object) = 0;
};

// Clears the stack below the caller, if the running actor is tidy (Scheduler::set_tidy()).
void tidy_stack();

class Scheduler {
 public:
  Scheduler(Kernel& kernel, World& world, std::size_t stack_bytes)
      : kernel_(kernel), world_(world), stack_bytes_(stack_bytes) {}

  std::size_t stack_bytes() const { return stack_bytes_; }  // of an actor that asks for no other size
  // Actors hand over to each other in the order in which they can run.
  void set_in_order(bool is_in_order) { in_order_ = is_in_order; }
  // Waiting actors keep no more than they need: no flags of floating-point exceptions, which calls of the API may
  // change, and nothing below the stack pointer.
  void set_tidy(bool is_tidy) { is_tidy_ = is_tidy; }
  bool is_tidy() const { return is_tidy_; }

  bool has_ready() const { return !ready_.empty(); }
  ListNode& ready() { return ready_; }
  void run_ready();                    // all ready actors in order, and the ones that they wake
  void run_actor(ActorRecord& actor);  // this ready actor, until it blocks
  // The memory of all stacks.
  template <class Visit>
  void for_each_slab(Visit&& visit) const {
    for (const auto& [bytes, stacks] : stacks_) stacks.for_each_slab(visit);
  }
  // Calls `look` on the stack of this actor, which has started and waits. Not while an actor runs.
  void visit_stack(ActorRecord& actor, const std::function<void()>& look);
  // From now on: notified of waits. Null: nobody.
  void set_watch(WaitWatch* watch) { watch_ = watch; }

  // ---- on the stack of `self`, the running actor
  void block(ActorRecord& self, Waiting waiting, const void* object);
  bool block_until(ActorRecord& self, Waiting waiting, const void* object, TimePoint date);  // false: date reached
  void block_for_lock(ActorRecord& self, Waiting waiting, const void* object);
  void yield(ActorRecord& self);
  // As yield, but never throws. `waiting` and `object` are the reason, for reports.
  void let_others_go_first(ActorRecord& self, Waiting waiting, const void* object);
  [[noreturn]] void leave();  // ends the running actor

  // ---- from anywhere
  void make_ready(ActorRecord& actor);
  void wake(ActorRecord& actor, bool timed_out = false);
  void wake_all(ListNode& waiting);   // in their order
  void withdraw(ActorRecord& actor);  // from its wait

 private:
  void pause(ActorRecord& self);  // switches to the actor that runs next
  void check(ActorRecord& self);
  void check_stack(ActorRecord& self);
  ActorRecord* take_ready();
  StackSlabs& stacks_of(std::size_t bytes);
  void begin(ActorRecord& actor);
  static void actor_entry(Fiber& fiber);
  void run_body(ActorRecord& actor);
  void bury(ActorRecord& actor);

  Kernel& kernel_;
  World& world_;
  std::size_t stack_bytes_;
  ListNode ready_;
  Fiber home_;  // of the thread, outside of actors
  bool in_order_ = false;
  bool is_tidy_ = false;
  const std::function<void()>* look_ = nullptr;  // to be called by the actor that is switched to
  WaitWatch* watch_ = nullptr;
  ActorRecord* ended_ = nullptr;  // it will never run again: its stack is free
  std::map<std::size_t, StackSlabs> stacks_;
  StackSlabs* common_stacks_ = nullptr;
};

}  // namespace rehearse::sim::kernel
