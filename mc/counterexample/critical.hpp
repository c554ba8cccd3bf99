// SPDX-License-Identifier: MIT
//
// The critical decision of an execution: the last decision that has another answer after which all actors can end
// well.
//
// The search keeps all decisions before it. For the decisions after it, the search first prefers those of the
// execution, so that the good execution is similar; then it takes the first alternatives, as an exploration does.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "mc/counterexample/runs.hpp"

namespace rehearse::mc::counterexample {

// For each choice of an execution: the other decisions that were possible there.
using Alternatives = std::vector<std::vector<Forced>>;

// The options at the time of each choice, and the messages that came later. The graph must be that of the execution.
Alternatives alternatives_of(const graph::Graph& graph, const std::vector<Taken>& taken);

struct CriticalChoice {
  std::size_t choice = 0;  // of `taken`
  Forced instead;
  Follower::Orders passing;  // the orders for the execution that ends well
};

// `taken`: all choices of the execution.
std::optional<CriticalChoice> find_critical(Runs& runs, const std::vector<Taken>& taken,
                                            const Alternatives& alternatives);

}  // namespace rehearse::mc::counterexample
