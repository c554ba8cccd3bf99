// SPDX-License-Identifier: MIT
//
// A Program that remembers what its actors publish, in the order in which they do, and judges its predicates in the
// states that this one order goes through: for whoever runs a counter-example of property.* again.
//
// Shape: as in an exploration (mc/predicates/), so that the findings are the same; which looks at all orders at once.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "mc/predicates/actor_states.hpp"
#include "mc/watched_program.hpp"
#include "simcore/global_state.hpp"
#include "simcore/published.hpp"

namespace rehearse::mc {

class StatesWatch final : public WatchedProgram {
 public:
  explicit StatesWatch(Program& program);

  // After the run: of each predicate one state that speaks against it; the wanted one, if it was there.
  std::vector<GlobalState> states(const std::function<bool(const GlobalState&)>& is_wanted);

 private:
  void look(ActorId actor, const Operation& operation) override;
  void forget(ActorId actor) override;

  std::deque<Published> published_;
  std::vector<std::vector<Publication>> publications_;  // by actor; the events before are those of all actors together
  EventIndex reported_ = 0;
  std::vector<bool> has_ended_;
};

}  // namespace rehearse::mc
