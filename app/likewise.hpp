// SPDX-License-Identifier: MIT
//
// Findings of one cause: the same findings at the same lines with other ranks (any worker of a pool can be the waiting
// one). The first is kept, with the ranks of the others.
#pragma once

#include <string>
#include <vector>

#include "simcore/finding.hpp"

namespace rehearse::app {

// Only deadlocks, polls without progress and lost messages are merged: their places and texts describe their cause
// completely. Merged findings have the same id, severity and policies, the same places in the program, and a message
// that differs only in numbers. The schedule is that of the first.
void fold_likewise(std::vector<Finding>& findings);

// "likewise with ranks 4 to 7" if one rank differs, "likewise with ranks 2 and 3, 4 and 5" if several
// differ; empty if nothing was merged.
std::string likewise_text(const Finding& finding);

// The message, followed by that text in parentheses.
std::string whole_message(const Finding& finding);

}  // namespace rehearse::app
