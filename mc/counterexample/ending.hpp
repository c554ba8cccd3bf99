// SPDX-License-Identifier: MIT
//
// How an explored execution ended under a policy, in the words that judges and reports use.
#pragma once

#include <optional>

#include "mc/buffering/policy_replay.hpp"
#include "mc/graph/graph.hpp"
#include "simcore/outcome.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::mc::counterexample {

using graph::Graph;

// The node at which an actor stands in the outcome.
const history::Node& standing(const Graph& graph, const buffering::PolicyOutcome& outcome, std::uint32_t actor);

// The input of a judge. `policy` decides which sends completed without being matched.
Outcome make_outcome(const Graph& graph, const buffering::PolicyOutcome& outcome, const Policy& policy);

// What an observation at the node that continues like this was answered; nothing where no other answer was thinkable.
std::optional<Answer> answer_of(const Graph& graph, const history::Node& node, const graph::Option& option);

// The decisions that lead there.
Schedule make_schedule(const Graph& graph, const buffering::PolicyOutcome& outcome);

// Equal for outcomes that look alike to a judge: same places, same states, same unmatched messages.
history::Hash128 shape_of(const Graph& graph, const buffering::PolicyOutcome& outcome);

// Everybody ends with status 0, and no message is left.
bool ends_well(const Graph& graph);

// Nothing that a judge could object to when the execution happens as it is: it ends well, and nobody reported anything.
bool is_spotless(const Graph& graph);

}  // namespace rehearse::mc::counterexample
