// SPDX-License-Identifier: MIT
//
// The end of an explored execution under a policy, in the form that judges and reports use.
#pragma once

#include <optional>

#include "mc/buffering/policy_replay.hpp"
#include "mc/graph/graph.hpp"
#include "simcore/outcome.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::mc::counterexample {

using graph::Graph;

// The node of an actor's next operation in the outcome.
const history::Node& standing(const Graph& graph, const buffering::PolicyOutcome& outcome, std::uint32_t actor);

// The input of a judge. `policy` decides which sends completed without being matched.
Outcome make_outcome(const Graph& graph, const buffering::PolicyOutcome& outcome, const Policy& policy);

// The answer to the observation at `node` that `option` describes. Nothing if only one answer is possible.
std::optional<Answer> answer_of(const Graph& graph, const history::Node& node, const graph::Option& option);

// The decisions that lead to the outcome.
Schedule make_schedule(const Graph& graph, const buffering::PolicyOutcome& outcome);

// A hash that is equal for outcomes that a judge cannot distinguish: same places, states and unmatched messages.
history::Hash128 shape_of(const Graph& graph, const buffering::PolicyOutcome& outcome);

// Every actor ends with status 0, and every message was received.
bool ends_well(const Graph& graph);

// The execution, replayed as explored, ends well and no actor reported a finding. So judges need not look at it.
bool is_spotless(const Graph& graph);

}  // namespace rehearse::mc::counterexample
