// SPDX-License-Identifier: MIT
//
// Actors that run several threads of their own: the computations of these threads, and the sleep until one of them can
// continue.
//
// Time: a Work is a computation of its actor's host, which shares the cores with all others there. A sleep without a
//       limit counts as blocked, one that polls as a poll without success (polls.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/agenda.hpp"
#include "simcore/engine/answers.hpp"
#include "simcore/engine/messages.hpp"
#include "simcore/engine/polls.hpp"
#include "simcore/engine/requests.hpp"

namespace rehearse::engine {

class Awaits {
 public:
  Awaits(ActorTable& actors, Agenda& agenda, Polls& polls, Messages& messages, Requests& requests, Answers& answers)
      : actors_(actors), agenda_(agenda), polls_(polls), messages_(messages), requests_(requests), answers_(answers) {}

  Request& start(ActorId id, const Work& operation);
  // The computation of this request is over.
  void end_work(std::uint32_t request);

  // Whether it was answered at once; otherwise the actor waits.
  bool begin(ActorId id, ActorState& actor, const Await& operation);
  // Makes the answer of an actor whose sleep is over.
  void answer(ActorId id, ActorState& actor, const Await& operation);

 private:
  void choose(ActorId id, ActorState& actor, const Await& operation);
  bool is_yes(ActorId id, ActorState& actor, const Awaited& question);
  static void mark(ActorState& actor, const Await& operation, bool is_awaited);
  void say();

  ActorTable& actors_;
  Agenda& agenda_;
  Polls& polls_;
  Messages& messages_;
  Requests& requests_;
  Answers& answers_;
  std::vector<std::uint32_t> chosen_;  // the questions with the answer yes
};

}  // namespace rehearse::engine
