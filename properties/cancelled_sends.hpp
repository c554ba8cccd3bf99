// SPDX-License-Identifier: MIT
//
// Executions in which sends are cancelled (simcore/provisional.hpp): the check whether they are legal, and their
// findings.
#pragma once

#include <vector>

#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::properties {

// The findings of an execution that remain after the rules for cancelled sends, and the findings about these sends.
std::vector<Finding> judge_cancelled_sends(const Outcome& outcome, std::vector<Finding> findings);

}  // namespace rehearse::properties
