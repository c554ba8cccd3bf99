// SPDX-License-Identifier: MIT
//
// Findings of one cause: the same at the same lines, and only the ranks differ (each worker of a pool can be the one
// that waits). The first of them is kept, with the ranks of the others.
#pragma once

#include <string>
#include <vector>

#include "simcore/finding.hpp"

namespace rehearse::app {

// Only deadlocks, polls without progress and lost messages are folded: their places and texts say all of their cause.
// What is folded has the same id, severity and policies, the same places in the program, and a message that differs
// only in numbers. The schedule of what is kept stays.
void fold_likewise(std::vector<Finding>& findings);

// "likewise with ranks 4 to 7" where one rank is another one, "likewise with ranks 2 and 3, 4 and 5" where several
// are; empty where nothing was folded.
std::string likewise_text(const Finding& finding);

// The message, with that in parentheses behind it.
std::string whole_message(const Finding& finding);

}  // namespace rehearse::app
