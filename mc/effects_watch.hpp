// SPDX-License-Identifier: MIT
//
// A Program that remembers what its actors write, send and have computed, and reports where one of them does something
// else than in an execution before: for whoever runs a counter-example of outcome.output, .sends or .results again.
//
// Shape:     as in an exploration (mc/verdict/determinism.hpp), so that the findings are the same.
// Ownership: the program must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mc/history/fingerprint.hpp"
#include "mc/watched_program.hpp"
#include "simcore/difference.hpp"

namespace rehearse::mc {

// The schedule of a finding that compares an execution with another one says both.
struct TwoSchedules {
  std::string schedule, other;
};
std::string to_text(const TwoSchedules& both);
std::optional<TwoSchedules> compared_schedules(const std::string& text);  // none: it is of one execution

// By actor: what it had done when it came to each operation that concerns others.
using EffectTraces = std::vector<std::vector<ObservableEffects>>;

class EffectsWatch final : public WatchedProgram {
 public:
  // `first`: what is compared with; null: nothing.
  EffectsWatch(Program& program, const EffectTraces* first);

  const EffectTraces& traces() const { return traces_; }

  // After the run: one for each actor and kind, of executions in which all actors ended.
  std::vector<Difference> differences(const TwoSchedules& both) const;

 private:
  struct State {
    bool has_ended = false;
    ObservableEffects effects;
    std::optional<Location> output_differs, sends_differ, results_differ;  // where that was first seen
  };

  void look(ActorId actor, const Operation& operation) override;
  void forget(ActorId actor) override;
  void compare(ActorId actor);
  Location where_it_stands(ActorId actor);

  const EffectTraces* first_;
  EffectTraces traces_;
  std::vector<State> states_;
};

}  // namespace rehearse::mc
