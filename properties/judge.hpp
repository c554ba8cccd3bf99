// SPDX-License-Identifier: MIT
//
// What is wrong with an execution that ended: judges that every driver shares.
//
// Ids:    deadlock.cycle        ranks wait for each other in a circle
//         deadlock.collective   a member of a collective never comes, or waits elsewhere for the others
//         deadlock.orphan       a rank waits for somebody who has ended
//         progress.polling      a rank polls for something that can never happen
//         collective.operation, .root, .operator, .count, .signature   members disagree
//         message.lost          a message was sent and never received although all ended
//         message.not_ready     a ready message may arrive before its receive is posted
//         crash.exit_status     a rank ended with a status other than 0
//         and the ids that failures (crash.*, assertion.*, argument.*) and reports bring themselves.
// Order:  a failed rank explains whoever waits, so then nobody is judged for waiting; likewise members
//         that disagree. Unsupported calls are no findings: drivers say them as reasons.
// Shape:  each finding has a Location for every rank it names first; texts spell out calls and places.
// Errors: none.
#pragma once

#include <vector>

#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::properties {

// All judges below, in the order: failures, disagreements, deadlocks, lost and early messages, reports.
std::vector<Finding> judge(const Outcome& outcome, const Describe& describe);

std::vector<Finding> judge_failures(const Outcome& outcome, const Describe& describe);
std::vector<Finding> judge_disagreements(const Outcome& outcome, const Describe& describe);
std::vector<Finding> judge_deadlocks(const Outcome& outcome, const Describe& describe);
// What somebody waits for in vain, because of a provisional report that stands (simcore/provisional.hpp).
std::vector<Finding> judge_provisional_reports(const Outcome& outcome, const Describe& describe);
// Sends that were not wanted any more and arrived all the same: of note only to explorations (outcomes_left_out).
std::vector<Finding> judge_unwanted_sends(const Outcome& outcome, const Describe& describe);
std::vector<Finding> judge_lost_messages(const Outcome& outcome, const Describe& describe);
std::vector<Finding> judge_early_messages(const Outcome& outcome, const Describe& describe);
std::vector<Finding> judge_reports(const Outcome& outcome, const Describe& describe);

}  // namespace rehearse::properties
