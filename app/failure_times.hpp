// SPDX-License-Identifier: MIT
//
// When what is wrong with a program has happened on a machine: each finding is replayed there, in another process.
//
// Meaning: under the policy of the finding, as `rehearse replay --on` does it. Of a failure, the date at which the rank
//          fails; of a deadlock, at which the last of its ranks begins to wait; of anything else, the end of the run.
// Errors:  none; what could not be replayed, or not in time, is not predicted.
#pragma once

#include <vector>

#include "app/check_report.hpp"
#include "app/counterexample.hpp"
#include "app/machine.hpp"
#include "simcore/engine.hpp"
#include "simcore/time.hpp"

namespace rehearse::app {

// One for each finding of the report. Notes are not predicted: nothing happens in them. `shared`: what the findings'
// counter-examples share.
std::vector<FailureTime> failure_times(const CheckReport& report, const Counterexample& shared,
                                       const MachineOptions& machine, double step_seconds);

// When the finding has happened in a run that shows it.
TimePoint moment_of(const Finding& finding, const RunResult& run);

// The policy under which the schedule of a finding of the report leads there.
mc::Policy policy_of(const Finding& finding, const CheckReport& report);

// The counter-example of a finding of the report.
Counterexample counterexample_of(const Finding& finding, const CheckReport& report, const Counterexample& shared);

}  // namespace rehearse::app
