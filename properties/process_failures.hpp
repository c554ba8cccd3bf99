// SPDX-License-Identifier: MIT
//
// Executions in which processes fail: what judges see of them, and what findings say about them.
//
// Errors: none.
#pragma once

#include <vector>

#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::properties {

// Whether ranks of this execution look for failures of others (smpi/failure_plan.hpp).
bool expects_failures(const Outcome& outcome);
// Whether a rank failed, or a link lost a message.
bool has_process_failure(const Outcome& outcome);
bool has_outage(const Outcome& outcome);
bool has_failed(const Outcome& outcome, ActorId rank);

// The same without the messages between the libraries of ranks: a rank does not wait for the failure of another one.
Outcome without_notices(Outcome outcome);

// Adds to each error which ranks had failed, and where.
void name_failed_ranks(const Outcome& outcome, std::vector<Finding>& findings);

}  // namespace rehearse::properties
