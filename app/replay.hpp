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
  double step_seconds = 60;  // that a rank may compute without a call before it is at fault
  Recorded recorded = Recorded::nothing;
  bool finds_likely_orders = false;  // on that machine, without being forced: it runs once more
};

// All are called during replay() only.
struct ReplayHooks {
  OutputSink* output = nullptr;  // gets what ranks write, until `replayed` is called; null: it is dropped
  std::function<void(const smpi::LoadedProgram&)> replayed = {};  // once: all ranks stand where they were left for good
};

// Where a rank was when it stopped for good.
struct RankStop {
  std::uint32_t rank = 0;
  std::string host;
  TimePoint time;
  ActorOutcome::State state = ActorOutcome::State::ended;
  Location where;  // file empty: unknown
};

std::string_view name_of(ActorOutcome::State state);

struct Replay {
  std::unique_ptr<Machine> machine;              // on which it ran
  std::unique_ptr<smpi::LoadedProgram> program;  // as it stands at the end
  TimedRun run;                                  // its findings have the witness of the counter-example
  bool is_same = false;                          // the finding happened again, with all decisions of the schedule
  bool is_untimed = false;                       // but not at the dates of this machine, as it need not
  std::vector<RankStop> stops = {};              // by rank
  std::optional<LikelyOrders> likely = {};       // none: nobody asked
};

// Of findings that compare two executions, both are run, and the differences are among the findings.
Result<Replay> replay(const ReplayRequest& request, const ReplayHooks& hooks = {});

// A counter-example that fits the program as it is now.
struct Replayable {
  Counterexample counterexample;
  std::string changed;  // in words, where the program has changed: decisions were found by their places; else empty
};

Result<Replayable> read_to_replay(const std::string& file, double step_seconds);

// Whether this is another folder than the one in which it was checked, which may matter to the program.
bool is_elsewhere(const Counterexample& counterexample);

// The options under which the engine runs as the policy says. `schedule`: the forced decisions.
EngineOptions engine_options(const mc::Policy& policy, Schedule schedule, OutputSink* output);

}  // namespace rehearse::app
