// SPDX-License-Identifier: MIT
//
// A Program that records the output, sends and results of its actors, and reports the place where they differ from an
// earlier execution. For replays of counter-examples of outcome.output, .sends and .results.
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

// By actor: its effects before each operation that concerns other actors.
using EffectTraces = std::vector<std::vector<history::ObservableEffects>>;

class EffectsWatch final : public WatchedProgram {
 public:
  // `first`: the effects to compare with; null: none.
  EffectsWatch(Program& program, const EffectTraces* first);

  const EffectTraces& traces() const { return traces_; }

  // After the run: one for each actor and kind, of executions in which all actors ended.
  std::vector<Difference> differences(const Witness& both) const;

 private:
  struct State {
    bool has_ended = false;
    history::ObservableEffects effects;
    std::optional<Location> output_differs, sends_differ, results_differ;  // the first such place
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
