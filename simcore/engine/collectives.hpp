// SPDX-License-Identifier: MIT
//
// Collectives in time, from the call of each member on.
#pragma once

#include <cstdint>

#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/collective_rounds.hpp"
#include "simcore/engine/collective_spaces.hpp"
#include "simcore/engine/requests.hpp"
#include "simcore/engine/run_state.hpp"

namespace rehearse::engine {

class Collectives {
 public:
  Collectives(RunState& run, ActorTable& actors, CollectiveSpaces& spaces, Requests& requests, CollectiveRounds& rounds)
      : run_(run), actors_(actors), spaces_(spaces), requests_(requests), rounds_(rounds) {}

  // Makes the actor's call. Returns its request, which may be done.
  Request& call(ActorId id, ActorState& actor, const Collective& operation);

 private:
  void make_schedule(Instance& instance, const Collective& operation);

  RunState& run_;
  ActorTable& actors_;
  CollectiveSpaces& spaces_;
  Requests& requests_;
  CollectiveRounds& rounds_;
};

}  // namespace rehearse::engine
