// SPDX-License-Identifier: MIT
//
// A Program that records the publications of its actors in order, and judges its predicates in the states of this one
// order. For replays of counter-examples of property.*.
//
// Shape: as in an exploration (mc/predicates/), which judges all orders at once, so that the findings are the same.
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

  // After the run: for each predicate one state that contradicts it; the wanted one, if it occurred.
  std::vector<GlobalState> states(const std::function<bool(const GlobalState&)>& is_wanted);

 private:
  void look(ActorId actor, const Operation& operation) override;
  void forget(ActorId actor) override;

  std::deque<Published> published_;
  // By actor; `events` counts the events of all actors together.
  std::vector<std::vector<predicates::Publication>> publications_;
  graph::EventIndex reported_ = 0;
  std::vector<bool> has_ended_;
};

}  // namespace rehearse::mc
