// SPDX-License-Identifier: MIT
//
// An execution of ranks that does not end, in words.
#pragma once

#include "app/counterexample.hpp"
#include "mc/state_search.hpp"

namespace rehearse::app {

// The steps for people, the places of the loop as locations of the finding, and its actors.
void describe_lasso(const mc::FoundLasso& lasso, Counterexample& counterexample);

}  // namespace rehearse::app
