// SPDX-License-Identifier: MIT
//
// How an execution ended, said the same way by every driver, so that judges need not know which one ran.
//
// Ownership: plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/operation.hpp"
#include "simcore/program.hpp"

namespace rehearse {

// How an actor called a collective, for reports.
struct CollectiveCall {
  Origin origin;
  Frame at;                     // where that is
  std::uint32_t root = 0;       // see Collective
  std::uint64_t signature = 0;  // see Collective
  SignatureText spelled;        // what that says
};

// A started send or receive that has not been matched, or a collective that has not completed.
struct PendingRequest {
  enum class Kind : std::uint8_t { send, receive, collective } kind = Kind::send;
  ActorId actor;
  RequestId request;
  ContextId context;
  ActorId destination;                // of a send
  Pattern pattern;                    // of a receive
  Tag tag = 0;                        // of a send
  SendMode mode = SendMode::standard; // of a send
  std::uint64_t bytes = 0;            // of a send
  Origin origin;                      // of a send
  Frame started_at;                   // of a send: where that is
  std::string name;                   // of a collective
  std::uint64_t number = 0;           // of a collective: how many of that context its actor called before
  // Of a collective: how it differs from mismatch_with's (operation, root, operator, count, signature); empty: agrees.
  std::string mismatch;
  ActorId mismatch_with;
  std::string mismatch_name;          // what mismatch_with called
  CollectiveCall own, other;          // of a collective with a mismatch: of its actor, and of mismatch_with
  std::vector<ActorId> missing;       // of a collective: members it waits for
  // The actor need not wait: a send that was buffered, though unmatched; a collective that agrees with all whom its
  // actor needs, but not with all members.
  bool completed = false;
  bool released = false;              // nobody will observe it
};

// A message in ready mode that arrived, or could have arrived, before its receive was posted.
struct EarlyMessage {
  ActorId source;
  ActorId destination;
  Tag tag = 0;
  Origin origin;
  Frame started_at;  // where that is
};

struct ActorOutcome {
  enum class State : std::uint8_t { ended, blocked, failed } state = State::ended;
  int exit_status = 0;                   // ended
  FailureKind failure{};                 // failed
  std::string id, what;                  // failed: see Fail
  // blocked: the requests that its Operation waits for and that are not complete (for Quantifier::any: each of them
  // would do), or the pattern that its Probe waits for.
  std::vector<RequestId> waits_for;
  bool any_suffices = false;
  std::vector<Pattern> probes;
  bool polling = false;  // blocked: it goes on asking, but no answer can ever change (no progress)
};

struct Outcome {
  std::vector<ActorOutcome> actors;
  std::vector<PendingRequest> pending;   // of all actors, ordered by (actor, request)
  std::vector<EarlyMessage> early;
  std::vector<std::pair<ActorId, Finding>> reports;  // what actors reported on their way, in each actor's order
};

// Fills in what only the program knows of pending requests and early messages: places and words. Slow; for reports.
void add_places(Outcome& outcome, Program& program);

// How a paused actor stands, for the text of a finding; only called for actors of the Outcome at hand.
using Describe = std::function<CallDescription(ActorId)>;

// What is wrong with an execution that ended like this. Judges know neither the driver nor the program.
using Judge = std::function<std::vector<Finding>(const Outcome&, const Describe&)>;

}  // namespace rehearse
