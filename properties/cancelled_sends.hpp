// SPDX-License-Identifier: MIT
//
// Executions in which sends are cancelled (simcore/provisional.hpp): whether they are legal, and their findings.
#pragma once

#include <vector>

#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::properties {

// The findings to report of an execution with these findings.
std::vector<Finding> findings_of_cancelling(const Outcome& outcome, std::vector<Finding> findings);

}  // namespace rehearse::properties
