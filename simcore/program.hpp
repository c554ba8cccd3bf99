// SPDX-License-Identifier: MIT
//
// The seam: one loaded program, its actors each paused at its next Operation, driven by somebody else.
//
// Protocol: an actor runs until it needs something from the world. next(a) says what (starting the actor if it has
//           not run yet); resume(a, observation) answers and runs it to its next Operation. After End or Fail the actor
//           must not be resumed. Between two Operations an actor is deterministic and touches only its own memory:
//           its state is a function of the list of Observations it was given. Nothing here says who drives: a
//           Program cannot ask, and must not care, whether its time is simulated or its executions are explored.
// Order:    next, resume, save, restore and restart of different actors may be mixed freely.
// Errors:   what the actor does wrong (crash, assertion, misuse) is an Operation: Fail or Report.
// Threads:  all calls from one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "simcore/way.hpp"

namespace rehearse {

class ApplicationMeter;

// The memory of one actor at one moment. Only meaningful to the Program that made it.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  virtual std::uint64_t bytes() const = 0;
  // Whether the actor was the same at both moments; false also where that is not known.
  virtual bool is_same_as(const Snapshot&) const { return false; }
};

struct Frame {
  std::string function;
  std::string file;
  int line = 0;
};

// A request that an earlier call of the actor started.
struct StartedRequest {
  RequestId request;
  std::string call;  // its name
  Frame at;
};

// A numbering of actors of its own, which is valid in these contexts.
struct Numbering {
  std::vector<ContextId> contexts;
  std::string name;              // of what numbers them
  std::vector<ActorId> members;  // by number
};

// Where a paused actor stands, for people. frames[0] is the place in the user's program that made the call.
struct CallDescription {
  std::string call;  // with its arguments spelled out
  std::vector<Frame> frames;
  std::vector<StartedRequest> requests = {};  // those that the actor waits for
  std::vector<Numbering> numberings = {};     // of the actors that the call and these requests communicate with
  // Arguments of the call that must be the same in all members of a collective: name and value, lists in full.
  std::vector<std::pair<std::string, std::string>> common_arguments = {};
};

// What the signature of a collective (Collective::signature) says; empty: nothing that can be named.
struct SignatureText {
  std::string manner;    // in which contributions are combined
  std::string elements;  // of a contribution
};

// What the driver's answers are known to be before they are given.
struct RunAhead {
  // Standard and ready Sends of fewer bytes are complete at once, as buffered ones are.
  std::uint64_t complete_sends_below = 0;
};

class Program {
 public:
  virtual ~Program() = default;

  virtual std::uint32_t actor_count() const = 0;

  // What the actor asks for. The reference and what it points to live until the actor is resumed or put elsewhere.
  virtual const Operation& next(ActorId actor) = 0;

  // Answers next(actor); returns when the actor stands at its next Operation.
  virtual void resume(ActorId actor, const Observation& observation) = 0;

  // Puts the actor back to before its first instruction.
  virtual void restart(ActorId actor) = 0;

  // The actor's memory as it is now, or null where this Program cannot (then restart and resume rebuild it).
  virtual std::unique_ptr<Snapshot> save(ActorId actor) = 0;

  // Puts the actor back to where the snapshot (of the same actor) was taken. The snapshot can be used again.
  virtual void restore(ActorId actor, const Snapshot& snapshot) = 0;

  // Identifies the place in the user's program from which next(actor) was asked: equal for equal places of one actor's
  // code, in every execution. 0: not known. Cheap.
  virtual std::uint64_t site(ActorId) { return 0; }

  // Identifies the calls that led to next(actor): equal for equal chains of them, as far as that can be determined
  // cheaply, in one run. 0: not known.
  virtual std::uint64_t call_chain(ActorId) { return 0; }

  // The source line of an origin that this actor gave. Slow; for reports.
  virtual Frame locate(ActorId, const Origin&) { return {}; }

  // What the ways of an actor's Choose are about to do, if next(actor) is one; at its end, what could not happen any
  // more. Empty: not known. Valid as long as next(actor).
  virtual Ways ways(ActorId) { return {}; }

  // From now on, for all actors: the meter hears when application code continues and pauses. Programs that cannot tell
  // do not use it.
  virtual void measure(ApplicationMeter&) {}

  // From now on, for all actors: where nothing shows the difference, the Program may run an actor on before it was
  // answered, if the answer says nothing and will come at once. next() and resume() show the same Operations all the
  // same, one by one; save(), site() and restart() must not be used. Programs may ignore this.
  virtual void run_ahead(const RunAhead&) {}

  // In words; for reports.
  virtual SignatureText spell(std::uint64_t) { return {}; }

  // Slow; for reports.
  virtual CallDescription describe(ActorId actor) = 0;
};

}  // namespace rehearse
