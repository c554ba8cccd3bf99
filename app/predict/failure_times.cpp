// SPDX-License-Identifier: MIT
//
// Replays for their dates.
#include "app/failure_times.hpp"

#include <algorithm>
#include <chrono>

#include "app/isolated.hpp"
#include "app/replay.hpp"

namespace rehearse::app {
namespace {

constexpr double begin_seconds = 20;  // no replay begins later
constexpr double seconds_max = 120;

// A number of seconds; null: the finding does not happen there.
Json predicted(const Counterexample& of, const MachineOptions& machine, double step_seconds) {
  auto again = replay({of, machine, step_seconds});
  if (!again || !again.value().is_same || again.value().is_untimed) return nullptr;
  return moment_of(of.finding, again.value().run.result).seconds();
}

}  // namespace

TimePoint moment_of(const Finding& finding, const RunResult& run) {
  std::optional<TimePoint> fails;
  TimePoint waits;
  for (const ActorId actor : finding.actors) {
    if (actor.value >= run.actors.size()) continue;
    const ActorOutcome::State state = run.outcome.actors[actor.value].state;
    const TimePoint stopped = run.actors[actor.value].stopped;
    if (state == ActorOutcome::State::failed && (!fails || stopped < *fails)) fails = stopped;
    if (state == ActorOutcome::State::blocked) waits = std::max(waits, stopped);
  }
  if (fails) return *fails;
  return finding.id.family() == finding_ids::deadlock && waits > TimePoint{} ? waits : run.end;
}

Policy policy_of(const Finding& finding, const CheckReport& report) {
  return finding.policies.empty() ? report.policies.front() : finding.policies.front();
}

Counterexample counterexample_of(const Finding& finding, const CheckReport& report, const Counterexample& shared) {
  Counterexample of = shared;
  of.finding = finding;
  of.policy = policy_of(finding, report);
  if (finding.id != finding_ids::time_bound) of.time_bound.reset();
  return of;
}

std::vector<FailureTime> failure_times(const CheckReport& report, const Counterexample& shared,
                                       const MachineOptions& machine, double step_seconds) {
  const std::vector<Finding>& findings = report.verdict.findings;
  std::vector<FailureTime> times(findings.size());
  const auto text = text_from_isolated(
      [&] {
        const auto begin = std::chrono::steady_clock::now();
        Json all = Json::array();
        for (const Finding& finding : findings) {
          const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
          if (passed.count() > begin_seconds) break;
          all.push_back(finding.severity == Severity::note
                            ? Json("note")
                            : predicted(counterexample_of(finding, report, shared), machine, step_seconds));
        }
        return all.dump();
      },
      seconds_max);
  auto parsed = parse_json(text ? *text : "");
  if (!parsed) return times;
  const Json& all = parsed.value();
  if (!all.is_array() || all.size() > times.size()) return times;
  for (std::size_t i = 0; i < all.size(); ++i) {
    times[i].is_predicted = !all[i].is_string();
    if (all[i].is_number()) times[i].seconds = all[i].get<double>();
  }
  return times;
}

}  // namespace rehearse::app
