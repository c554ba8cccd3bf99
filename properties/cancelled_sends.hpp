// SPDX-License-Identifier: MIT
//
// Executions in which sends are cancelled (simcore/provisional.hpp): whether they are legal, and what is told of them.
#pragma once

#include <vector>

#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::properties {

// What is to be told of an execution of which these findings are made.
std::vector<Finding> told_of_cancelling(const Outcome& outcome, std::vector<Finding> findings);

}  // namespace rehearse::properties
