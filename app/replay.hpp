// SPDX-License-Identifier: MIT
//
// Reproduces the finding of a counter-example in simulated time.
//
// Errors: a program that cannot be loaded, a schedule that does not fit it, a machine that cannot be made.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "app/counterexample.hpp"
#include "app/machine.hpp"
#include "app/timed_run.hpp"
#include "simcore/output.hpp"
#include "simcore/schedule.hpp"
#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {

// The identity of a finding: the check, the ranks and the places.
using FindingIdentity =
    std::tuple<FindingId, std::set<ActorId>, std::set<std::tuple<ActorId, std::string, std::string, int>>>;
FindingIdentity identity_of(const Finding& finding);

struct Replay {
  std::unique_ptr<Machine> machine;              // of the run
  std::unique_ptr<smpi::LoadedProgram> program;  // in its state at the end
  TimedRun run;
  bool is_same = false;              // the finding happened again, with all decisions of the schedule
  bool is_untimed = false;           // the finding happened, but not at the dates of this machine
};

// For findings that compare two executions, runs both; the differences are among the findings.
Result<Replay> replay(const Counterexample& counterexample, const MachineOptions& machine, double step_seconds,
                      OutputSink* output, Recorded recorded = Recorded::nothing);

// The options under which the engine runs as the policy says. `schedule`: the forced decisions.
EngineOptions engine_options(const mc::Policy& policy, Schedule schedule, OutputSink* output);

}  // namespace rehearse::app
