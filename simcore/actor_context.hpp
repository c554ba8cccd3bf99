// SPDX-License-Identifier: MIT
//
// One actor from the view of its Program: the suspended fiber, its Operation, and the switch to it. For implementations
// of Program; code inside an actor uses actor.hpp.
//
// Protocol:  prepare() makes an actor that starts at its first instruction. enter() switches to it and returns when it
//            asks again (Program::next and resume). visit() runs a function on the suspended actor's own stack, for
//            introspection; the actor stays at its Operation.
// Ownership: the context contains all state that changes while the actor runs. So if the context is in the actor's own
//            memory, a copy of that memory saves the actor.
// Threads:   none.
#pragma once

#include <cstddef>
#include <string_view>

#include "simcore/actor.hpp"
#include "simcore/ids.hpp"
#include "simcore/observation.hpp"
#include "simcore/operation.hpp"

namespace rehearse {

class ActorLists;
class AheadQueue;
class ApplicationMeter;

// The part of a stack that may be used: [bottom, top).
struct StackSpan {
  std::byte* bottom = nullptr;
  std::byte* top = nullptr;
  std::size_t bytes() const { return static_cast<std::size_t>(top - bottom); }
};

struct ActorContext {
  ActorIdentity identity;
  ApplicationMeter* meter = nullptr;      // null: time is not measured
  ActorLists* lists = nullptr;            // actor_lists(), of the Program
  void (*body)(ActorContext&) = nullptr;  // runs on the fiber; must not return (its last act is ask(End or Fail))
  AheadQueue* ahead = nullptr;            // null: the actor stops at every Operation
  void* user = nullptr;                   // for the body
  // Runs on the actor before each Operation; not null: the Operation is done, with this Observation. Null: none.
  const Observation* (*before_asking)(ActorContext&, const Operation&) = nullptr;
  // Set: the next answer means nothing, and the actor runs this, which does not return. `why_lost` is static text, or
  // lives as long as the driver.
  void (*when_lost)(std::string_view why) = nullptr;
  std::string_view why_lost;
  StackSpan stack;
  const Operation* operation = nullptr;  // null: has not asked yet
  void* suspended = nullptr;             // where the actor continues
  void* driver = nullptr;                // where its driver continues; only meaningful while the actor runs
};

// Makes the actor start at the first instruction of its body. Requires `body`, `stack` and `id`.
void prepare(ActorContext& actor);

// Notifies the meter, if there is one, that application code begins: the last call of a body before it runs the code.
void begin_application(const ActorContext& actor);

// Runs the actor until it asks; `answer` is null exactly the first time. The caller has made the actor current
// (set_current_context) in the thread-local storage that the actor will see.
void enter(ActorContext& actor, const Observation* answer);

// Runs `function(argument)` on the suspended actor's stack. It must not ask and must not throw.
void visit(ActorContext& actor, void (*function)(void*), void* argument);

// The stack pointer of the suspended actor. The live part of its stack is at or above it.
const std::byte* stack_pointer(const ActorContext& actor);

// The code of the switch to and from fibers, which saves and loads registers.
const void* switch_code();

ActorContext* current_context();
void set_current_context(ActorContext* actor);

// The word that names the operation's kind: "send", "post", "observe"...
const char* kind_name(const Operation& operation);

}  // namespace rehearse
