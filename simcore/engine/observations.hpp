// SPDX-License-Identifier: MIT
//
// Waiting, testing, probing and choosing: the conditions for an answer.
//
// Errors: an impossible forced answer is reported by RunState::fail.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/answers.hpp"
#include "simcore/engine/messages.hpp"
#include "simcore/engine/polls.hpp"
#include "simcore/engine/requests.hpp"
#include "simcore/engine/run_state.hpp"

namespace rehearse::engine {

class Observations {
 public:
  Observations(RunState& run, ActorTable& actors, Polls& polls, Messages& messages, Requests& requests,
               Answers& answers)
      : run_(run), actors_(actors), polls_(polls), messages_(messages), requests_(requests), answers_(answers) {}

  // Whether it was answered at once; otherwise the actor waits.
  bool begin(ActorId id, ActorState& actor, const Observe& operation);
  bool begin(ActorId id, ActorState& actor, const Probe& operation);
  bool begin(ActorId id, ActorState& actor, const Choose& operation);

  // Makes the answer of an actor whose wait for one of these is over.
  void answer(ActorId id, ActorState& actor);

 private:
  const Answer* find_forced(ActorId id, const ActorState& actor) const {
    return run_.find_forced(id, actor.operations);
  }
  bool begin_forced(ActorId id, ActorState& actor, const Observe& operation, const Answer& forced);
  bool choose(ActorState& actor, const Observe& operation);
  void await(ActorState& actor, const Observe& operation);   // marks the requests for which the actor waits
  void forget(ActorState& actor, const Observe& operation);  // and unmarks them
  void answer_probe(ActorState& actor, const Probe& operation, Message& message);
  void withdraw(ActorState& actor, const Observe& operation);
  // The schedule's answer to this operation of the actor is impossible. Always returns false.
  bool refuse(ActorId id, const ActorState& actor, const std::string& why);

  RunState& run_;
  ActorTable& actors_;
  Polls& polls_;
  Messages& messages_;
  Requests& requests_;
  Answers& answers_;
  std::vector<std::uint32_t> chosen_;  // of the operation's requests, those that a yes reports
};

}  // namespace rehearse::engine
