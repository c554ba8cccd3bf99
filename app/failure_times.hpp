// SPDX-License-Identifier: MIT
//
// The dates of findings on a machine: each finding is replayed there, in another process.
//
// Meaning: under the policy of the finding, as `rehearse replay --on` does it. For a failure, the date at which the
// rank
//          fails; for a deadlock, at which the last of its ranks begins to wait; for others, the end of the run.
// Errors:  none; a finding that could not be replayed in time has no prediction.
#pragma once

#include <vector>

#include "app/check_report.hpp"
#include "app/counterexample.hpp"
#include "app/machine.hpp"
#include "simcore/engine.hpp"
#include "simcore/time.hpp"

namespace rehearse::app {

// One for each finding of the report. Notes have no prediction, because nothing fails in them. `shared`: the
// common part of the findings' counter-examples.
std::vector<FailureTime> failure_times(const CheckReport& report, const Counterexample& shared,
                                       const MachineOptions& machine, double step_seconds);

// The date of the finding in a run that shows it.
TimePoint moment_of(const Finding& finding, const RunResult& run);

// The policy under which the schedule of a finding of the report reproduces it.
Policy policy_of(const Finding& finding, const CheckReport& report);

// The counter-example of a finding of the report.
Counterexample counterexample_of(const Finding& finding, const CheckReport& report, const Counterexample& shared);

}  // namespace rehearse::app
