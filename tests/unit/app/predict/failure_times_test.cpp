// SPDX-License-Identifier: MIT
//
// The date of a finding in a run, and the counter-example that is replayed for it.
#include "app/failure_times.hpp"

#include <catch2/catch.hpp>

namespace rehearse::app {
namespace {

using State = ActorOutcome::State;

// Two actors with these ends; the run ends at 9.
RunResult run_of(State first, std::int64_t first_ps, State second, std::int64_t second_ps) {
  RunResult run;
  run.end = TimePoint{9};
  run.actors.resize(2);
  run.actors[0].stopped = TimePoint{first_ps};
  run.actors[1].stopped = TimePoint{second_ps};
  run.outcome.actors.resize(2);
  run.outcome.actors[0].state = first;
  run.outcome.actors[1].state = second;
  return run;
}

Finding finding_of(const char* id, const std::vector<ActorId>& actors) {
  Finding finding;
  finding.id = id;
  finding.actors = actors;
  return finding;
}

}  // namespace

TEST_CASE("failure times: a deadlock happens when the last of its ranks begins to wait") {
  const RunResult run = run_of(State::blocked, 3, State::blocked, 5);
  CHECK(moment_of(finding_of("deadlock.cycle", {{0}, {1}}), run) == TimePoint{5});
  CHECK(moment_of(finding_of("deadlock.cycle", {{0}}), run) == TimePoint{3});
}

TEST_CASE("failure times: a failure happens when the first of its ranks fails") {
  CHECK(moment_of(finding_of("crash.signal", {{0}, {1}}), run_of(State::failed, 7, State::failed, 4)) == TimePoint{4});
  CHECK(moment_of(finding_of("crash.signal", {{0}, {1}}), run_of(State::failed, 7, State::blocked, 2)) == TimePoint{7});
}

TEST_CASE("failure times: any other finding happens at the end, even if it names no rank of the run") {
  const RunResult run = run_of(State::ended, 2, State::blocked, 4);
  CHECK(moment_of(finding_of("message.lost", {{0}, {1}}), run) == TimePoint{9});
  CHECK(moment_of(finding_of("deadlock.cycle", {{7}}), run) == TimePoint{9});
}

TEST_CASE("failure times: a finding happens under its first policy, or else under the first of the exploration") {
  CheckReport report;
  report.policies = {{0, true}, {}};
  Finding finding = finding_of("deadlock.cycle", {{0}});
  CHECK(policy_of(finding, report) == Policy{0, true});
  finding.policies = {{16, false}, {0, false}};
  CHECK(policy_of(finding, report) == Policy{16, false});
}

TEST_CASE("failure times: only the counter-example of an exceeded time bound keeps the bound") {
  CheckReport report;
  report.policies = {{}};
  Counterexample shared;
  shared.ranks = 2;
  shared.time_bound = 3;
  CHECK_FALSE(counterexample_of(finding_of("deadlock.cycle", {{0}}), report, shared).time_bound);
  const Counterexample late = counterexample_of(finding_of("time.bound", {{0}}), report, shared);
  CHECK(late.time_bound == 3.);
  CHECK(late.ranks == 2);
  CHECK(late.finding.id == finding_ids::time_bound);
}

TEST_CASE("failure times: notes have no prediction") {
  CheckReport report;
  report.policies = {{}};
  report.verdict.findings = {finding_of("hint.barrier", {{0}})};
  report.verdict.findings[0].severity = Severity::note;
  const std::vector<FailureTime> times = failure_times(report, {}, {}, 1);
  REQUIRE(times.size() == 1);
  CHECK_FALSE(times[0].is_predicted);
}

}  // namespace rehearse::app
