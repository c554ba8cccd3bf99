// SPDX-License-Identifier: MIT
//
// The judges of executions, which all drivers share.
//
// Ids:    deadlock.cycle        ranks wait for each other in a circle
//         deadlock.collective   a member never calls the collective, or waits elsewhere for the others
//         deadlock.orphan       a rank waits for a rank that has ended
//         progress.polling      a rank polls for an event that can never happen
//         collective.operation, .root, .operator, .count, .signature   members disagree
//         message.lost          a message was sent and never received although all ended
//         message.not_ready     a ready message may arrive before its receive is posted
//         crash.exit_status     a rank ended with a status other than 0
//         and the ids of failures (crash.*, assertion.*, argument.*) and reports.
// Order:  a failed rank explains waiting ranks, so there are no findings about waiting then. The same holds for members
//         that disagree. Unsupported calls are not findings: drivers list them as reasons.
// Shape:  each finding has a Location for every rank it names first; texts spell out calls and places.
// Errors: none.
#pragma once

#include <vector>

#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::properties {

// All judges below, in the order: failures, disagreements, deadlocks, lost and early messages, reports.
std::vector<Finding> judge(const Outcome& outcome, const Describe& describe);

// Of an execution that did not come to its end: failures, early messages and reports, nothing about waiting ranks.
std::vector<Finding> judge_part(const Outcome& outcome, const Describe& describe);

std::vector<Finding> judge_failures(const Outcome& outcome, const Describe& describe);
std::vector<Finding> judge_disagreements(const Outcome& outcome, const Describe& describe);
std::vector<Finding> judge_deadlocks(const Outcome& outcome, const Describe& describe);
// Findings of ranks that wait without success because of a provisional report that holds (simcore/provisional.hpp).
std::vector<Finding> judge_provisional_reports(const Outcome& outcome, const Describe& describe);
// Cancelled sends whose messages arrived: limits of explorations (outcomes_left_out).
std::vector<Finding> judge_unwanted_sends(const Outcome& outcome, const Describe& describe);
std::vector<Finding> judge_lost_messages(const Outcome& outcome, const Describe& describe);
std::vector<Finding> judge_early_messages(const Outcome& outcome, const Describe& describe);
std::vector<Finding> judge_reports(const Outcome& outcome, const Describe& describe);

}  // namespace rehearse::properties
