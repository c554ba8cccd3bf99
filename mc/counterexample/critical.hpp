// SPDX-License-Identifier: MIT
//
// The critical decision of an execution: the last one with another answer after which all can end well.
//
// What comes before the decision is kept; what comes after it is, first, as in the execution wherever that is still
// possible, so that what is found is close to it, and then what an exploration would take.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "mc/counterexample/runs.hpp"

namespace rehearse::mc::counterexample {

// What another execution of the same program could have decided at the choices of this one: by choice.
using Alternatives = std::vector<std::vector<Forced>>;

// The options that were there when each choice was made, and messages that came later. While the graph is there.
Alternatives alternatives_of(const graph::Graph& graph, const std::vector<Taken>& taken);

struct CriticalChoice {
  std::size_t choice = 0;  // of `taken`
  Forced instead;
  Follower::Orders passing;  // lead to the execution that ends well
};

// `taken`: all choices of the execution.
std::optional<CriticalChoice> find_critical(Runs& runs, const std::vector<Taken>& taken,
                                            const Alternatives& alternatives);

}  // namespace rehearse::mc::counterexample
