// SPDX-License-Identifier: MIT
//
// One execution of an exploration.
#include "app/replay/untimed_replay.hpp"

#include "app/isolated.hpp"
#include "app/launch.hpp"
#include "properties/differences.hpp"
#include "properties/judge.hpp"

namespace rehearse::app {
namespace {

constexpr double exploration_seconds_max = 60;

bool explores_to(const Counterexample& of, double step_seconds) {
  auto program = launch_to_explore(job_of(of));
  if (!program) return false;
  mc::ExploreOptions how;
  how.semantics.polls = of.polls;
  how.bounds.max_step_seconds = step_seconds;
  how.hooks.report_difference = properties::report_difference;
  how.hooks.report_state = properties::report_state;
  how.hooks.prepare = [&](const StopToken& stop) { program.value()->limit_steps({step_seconds, UINT64_MAX, stop}); };
  mc::InvestigateOptions limits;
  limits.max_seconds = exploration_seconds_max;
  return mc::leads_to(*program.value(), how, of.policy, properties::judge, of.finding, limits);
}

}  // namespace

bool happens_without_time(const Counterexample& counterexample, double step_seconds) {
  const auto text = text_from_isolated([&] { return explores_to(counterexample, step_seconds) ? "yes" : "no"; },
                                       exploration_seconds_max + step_seconds);
  return text == "yes";
}

}  // namespace rehearse::app
