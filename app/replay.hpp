// SPDX-License-Identifier: MIT
//
// Reproduces the finding of a counter-example in simulated time, for `rehearse replay` and for C++ programs
// (docs/api.md).
//
// Errors:  a file that cannot be read, a program that cannot be loaded, a schedule that does not fit it, a machine that
//          cannot be made.
// Process: the program is loaded into this process and runs in it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "app/counterexample.hpp"
#include "app/likely_orders.hpp"
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

struct ReplayRequest {
  Counterexample counterexample;
  MachineOptions machine;
  double step_seconds = 60;  // a rank that computes longer than this without a call is at fault
  Recorded recorded = Recorded::nothing;
  std::string trace = {};            // file to record the execution to; empty: none
  bool finds_likely_orders = false;  // runs the program once more on that machine, without a schedule
};

// All are called during replay() only.
struct ReplayHooks {
  OutputSink* output = nullptr;  // gets the output of the ranks, until `replayed` is called; null: dropped
  std::function<void(const smpi::LoadedProgram&)> replayed = {};  // once, at the end: all ranks have stopped
};

// The end of a rank.
struct RankStop {
  std::uint32_t rank = 0;
  std::string host;
  TimePoint time;
  ActorOutcome::State state = ActorOutcome::State::ended;
  Location where;  // file empty: unknown
};

struct Replay {
  std::unique_ptr<Machine> machine;              // of the run
  std::unique_ptr<smpi::LoadedProgram> program;  // in its state at the end
  TimedRun run;                                  // its findings have the witness of the counter-example
  bool is_same = false;                          // the finding happened again, with all decisions of the schedule
  bool is_untimed = false;                       // the finding happened, but not at the dates of this machine
  std::vector<RankStop> stops = {};              // by rank
  std::optional<LikelyOrders> likely = {};       // if requested
};

// For findings that compare two executions, runs both; the differences are among the findings.
Result<Replay> replay(const ReplayRequest& request, const ReplayHooks& hooks = {});

// A counter-example that fits the program as it is now.
struct Replayable {
  Counterexample counterexample;
  std::string changed;  // the change of the program, in words; decisions were found by their places. Empty: no change
};

Result<Replayable> read_to_replay(const std::string& file, double step_seconds);

// Whether the current folder differs from the folder of the check; the behaviour of the program may depend on it.
bool is_elsewhere(const Counterexample& counterexample);

// The options under which the engine runs as the policy says. `schedule`: the forced decisions.
EngineOptions engine_options(const Policy& policy, Schedule schedule, OutputSink* output);

}  // namespace rehearse::app
