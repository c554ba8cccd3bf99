// SPDX-License-Identifier: MIT
//
// The end of an execution. All drivers describe it in the same way, so judges need not know the driver.
//
// Ownership: plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/operation.hpp"
#include "simcore/program.hpp"

namespace rehearse {

// How an actor called a collective, for reports.
struct CollectiveCall {
  Origin origin;
  Frame at;                     // its source line
  std::uint32_t root = 0;       // see Collective
  std::uint64_t signature = 0;  // see Collective
  SignatureText spelled;        // the signature in words
};

// A started send or receive that has not been matched, a collective that has not completed, or an access that has not
// taken effect.
struct PendingRequest {
  enum class Kind : std::uint8_t { send, receive, collective, access } kind = Kind::send;
  ActorId actor;
  RequestId request;
  ContextId context;
  ActorId destination;                 // of a send; the target of an access
  Pattern pattern;                     // of a receive
  Tag tag = 0;                         // of a send
  SendMode mode = SendMode::standard;  // of a send
  std::uint64_t bytes = 0;             // of a send
  Origin origin;                       // of a send
  Frame started_at;                    // of a send: its source line
  std::string name;                    // of a collective; of an access: RemoteAccess::missing
  std::uint64_t number = 0;            // of a collective: number of earlier collectives of its actor in that context
  // Of a collective: how it differs from mismatch_with's (operation, root, operator, count, signature); empty: agrees.
  std::string mismatch;
  ActorId mismatch_with;
  std::string mismatch_name;     // name of the collective that mismatch_with called
  CollectiveCall own, other;     // of a collective with a mismatch: of its actor, and of mismatch_with
  std::vector<ActorId> missing;  // of a collective: the members for which it waits; of an access: its waits_for
  // The actor need not wait: a buffered send without a match, or a collective that agrees with all members that the
  // actor needs, but not with all members.
  bool completed = false;
  bool released = false;  // no operation will observe it
};

// A message in ready mode that arrived, or could have arrived, before its receive was posted.
struct EarlyMessage {
  ActorId source;
  ActorId destination;
  Tag tag = 0;
  Origin origin;
  Frame started_at;  // its source line
};

struct ActorOutcome {
  enum class State : std::uint8_t { ended, blocked, failed } state = State::ended;
  int exit_status = 0;    // ended
  FailureKind failure{};  // failed
  std::string id, what;   // failed: see Fail
  // blocked: the requests that its Operation waits for and that are not complete (for Quantifier::any: each of them
  // would do), or the pattern that its Probe waits for.
  std::vector<RequestId> waits_for;
  bool any_suffices = false;
  std::vector<Pattern> probes;
  bool polling = false;  // blocked: it continues to poll, but no answer can ever change (no progress)
};

// "ended", "blocked", "failed".
std::string_view name_of(ActorOutcome::State state);

struct Outcome {
  std::vector<ActorOutcome> actors;
  std::vector<PendingRequest> pending;  // of all actors, ordered by (actor, request)
  std::vector<EarlyMessage> early;
  std::vector<std::pair<ActorId, Finding>> reports;  // reports of the actors, in each actor's order
};

// Adds the places and words of pending requests and early messages, which only the program knows. Slow; for reports.
void add_places(Outcome& outcome, Program& program);

// Describes a paused actor for the text of a finding. Only for actors of the current Outcome.
using Describe = std::function<CallDescription(ActorId)>;

// Returns the findings of an execution with this end. Judges know neither the driver nor the program.
using Judge = std::function<std::vector<Finding>(const Outcome&, const Describe&)>;

}  // namespace rehearse
