// SPDX-License-Identifier: MIT
//
// The seam: one loaded program. Each of its actors is paused at its next Operation, and a driver answers it.
//
// Protocol: an actor runs until it makes a request to its driver. next(a) returns this Operation (and starts the actor
//           if it has not run yet); resume(a, observation) answers it and runs the actor to its next Operation. After
//           End or Fail the actor must not be resumed. Between two Operations an actor is deterministic and touches
//           only its own memory: its state is a function of the list of Observations that it got. A Program cannot ask
//           which driver it has: its time may be simulated, or its executions explored.
// Order:    calls of next, resume, save, restore and restart for different actors may be mixed freely.
// Errors:   a fault of the actor (crash, assertion, misuse) is an Operation: Fail or Report.
// Threads:  all calls from one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
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
  // Whether the actor was in the same state at both moments. False if unknown.
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
  std::string call;  // name of the function
  Frame at;
};

// A separate numbering of actors, which is valid in these contexts.
struct Numbering {
  std::vector<ContextId> contexts;
  std::string name;              // of the object that numbers them, for instance a group
  std::vector<ActorId> members;  // by number
};

// A thread of an actor that waits.
struct ThreadPlace {
  std::uint32_t number = 0;
  std::string call;
  Frame at;
};

// What an actor knows of memory that actors share. Only meaningful to the Program that made it.
class SharedKnowledge {
 public:
  virtual ~SharedKnowledge() = default;
};

// The place of a paused actor, for reports. frames[0] is the place in the user's program that made the call.
struct CallDescription {
  std::string call;  // with its arguments
  std::vector<Frame> frames;
  std::vector<StartedRequest> requests = {};  // those that the actor waits for
  std::vector<Numbering> numberings = {};     // of the actors that the call and these requests communicate with
  // Arguments of the call that must be the same in all members of a collective: name and value, lists in full.
  std::vector<std::pair<std::string, std::string>> common_arguments = {};
  // Its other threads, if several wait.
  std::vector<ThreadPlace> threads = {};
  std::shared_ptr<const SharedKnowledge> knowledge = {};  // null: it shares no memory
};

// The meaning of the signature of a collective (Collective::signature) in words. Empty: unknown.
struct SignatureText {
  std::string manner;    // in which contributions are combined
  std::string elements;  // of a contribution
};

// Answers that are known before the driver gives them.
struct RunAhead {
  // Standard and ready Sends of fewer bytes are complete at once, as buffered ones are.
  std::uint64_t complete_sends_below = 0;
  // Whether site() must remain valid.
  bool with_sites = false;
};

class Program {
 public:
  virtual ~Program() = default;

  virtual std::uint32_t actor_count() const = 0;

  // The Operation at which the actor is paused. The reference, and the data that it points to, are valid until the
  // actor is resumed, restarted or restored.
  virtual const Operation& next(ActorId actor) = 0;

  // Answers next(actor); returns when the actor is paused at its next Operation.
  virtual void resume(ActorId actor, const Observation& observation) = 0;

  // Resets the actor to the state before its first instruction.
  virtual void restart(ActorId actor) = 0;

  // A snapshot of the actor's memory, or null if this Program cannot make one (restart and resume then rebuild it).
  virtual std::unique_ptr<Snapshot> save(ActorId actor) = 0;

  // Restores the actor to the state of a snapshot of the same actor. The snapshot can be used again.
  virtual void restore(ActorId actor, const Snapshot& snapshot) = 0;

  // Identifies the place in the user's program that made the request next(actor): equal for equal places of one actor's
  // code, in every execution. 0: unknown. Cheap.
  virtual std::uint64_t site(ActorId) { return 0; }

  // Identifies the chain of calls that led to next(actor): equal for equal chains of one run, as far as that can be
  // determined cheaply. 0: unknown.
  virtual std::uint64_t call_chain(ActorId) { return 0; }

  // The source line of an origin of this actor. Slow; for reports.
  virtual Frame locate(ActorId, const Origin&) { return {}; }

  // If next(actor) is a Choose: the step of each of its alternatives. At the end of the actor: the steps that can
  // no longer happen. Empty: unknown. Valid as long as next(actor).
  virtual Ways ways(ActorId) { return {}; }

  // From now on, for all actors: notifies the meter when application code continues and pauses. Programs that cannot
  // distinguish application code ignore the meter.
  virtual void measure(ApplicationMeter&) {}

  // From now on, for all actors: if the answer to an Operation has no content and comes at once, the Program may run
  // the actor further before the answer. next() and resume() still show the same Operations one by one; save(),
  // restart() and, unless it is requested, site() must not be used. Programs may ignore this.
  virtual void run_ahead(const RunAhead&) {}

  // The word for its actors in sentences, as in "rank 3".
  virtual std::string_view actor_noun() const { return "actor"; }

  // A signature in words; for reports.
  virtual SignatureText spell(std::uint64_t) { return {}; }

  // Slow; for reports.
  virtual CallDescription describe(ActorId actor) = 0;
};

}  // namespace rehearse
