// SPDX-License-Identifier: MIT
//
// Findings of executions that differ, and of states that contradict predicates.
//
// Ids:   outcome.output, outcome.sends, outcome.results    a rank does something else than in the first execution
//        race.wildcard                                     whose message a rank takes depends on the order (a note)
//        property.never, property.always                   a state that a predicate speaks against
//        property.value                                    a predicate about a value that nobody publishes
#pragma once

#include <vector>

#include "simcore/difference.hpp"
#include "simcore/global_state.hpp"

namespace rehearse::properties {

std::vector<Finding> report_difference(const Difference& difference);
std::vector<Finding> report_state(const GlobalState& state);

}  // namespace rehearse::properties
