// SPDX-License-Identifier: MIT
//
// Findings about executions that differ, and about states that violate predicates.
//
// Ids:   outcome.output, outcome.sends, outcome.results a rank behaves differently than in the first execution
//        race.wildcard the order decides which message a rank takes (a note) property.never, property.always a state
//        that violates a predicate property.value a predicate about a value that no rank publishes
#pragma once

#include <vector>

#include "simcore/difference.hpp"
#include "simcore/global_state.hpp"

namespace rehearse::properties {

std::vector<Finding> report_difference(const Difference& difference);
std::vector<Finding> report_state(const GlobalState& state);

}  // namespace rehearse::properties
