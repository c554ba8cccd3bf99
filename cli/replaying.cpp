// SPDX-License-Identifier: MIT
//
// Timed runs that a schedule forces.
#include "cli/replaying.hpp"

#include <algorithm>

#include "cli/launch.hpp"
#include "cli/prediction.hpp"
#include "cli/untimed_replay.hpp"
#include "mc/deeds_watch.hpp"
#include "properties/differences.hpp"
#include "properties/time_bound.hpp"

namespace rehearse::cli {
namespace {

struct Forced {
  std::unique_ptr<Machine> machine;
  std::unique_ptr<Program> program;
  TimedRun run;
  mc::Courses courses;
  std::vector<Finding> differences;
};

struct Task {
  const Counterexample& counterexample;
  const MachineOptions& machine;
  double step_seconds;
  Recorded recorded;
};

Result<Forced> run_forced(const Task& task, const std::string& schedule_text, OutputSink* output,
                          const mc::Courses* compared_with) {
  const Counterexample& of = task.counterexample;
  auto schedule = parse_schedule(schedule_text);
  if (!schedule) return schedule.error();
  MachineOptions on = task.machine;
  if (on.on.empty()) on.on = of.platform;
  auto machine = make_machine(on, of.ranks);
  if (!machine) return machine.error();
  auto program = launch_to_replay(of.program, of.arguments, of.ranks, of.buffers);
  if (!program) return program.error();
  smpi::limit_steps(*program.value(), {task.step_seconds, UINT64_MAX});
  mc::DeedsWatch watch(*program.value(), compared_with);
  const auto both = mc::compared_schedules(of.finding.schedule);
  EngineOptions options = engine_options(of.policy, schedule.value(), output);
  if (of.time_bound) options = options_to_predict(*machine.value(), schedule.value());  // the machine buffers
  options.output = output;
  auto run = run_timed(both ? static_cast<Program&>(watch) : *program.value(), *machine.value(), std::move(options),
                       {}, task.recorded);
  if (!run) return run.error();
  if (of.time_bound)
    if (auto late = properties::judge_time(run.value().result, machine.value()->platform.name(), *of.time_bound))
      run.value().findings.push_back(std::move(*late));
  Forced forced{std::move(machine.value()), std::move(program.value()), std::move(run.value()), {}, {}};
  if (!both) return forced;
  forced.courses = watch.courses();
  for (const Difference& difference : watch.differences(*both))
    std::ranges::move(properties::tell_difference(difference), std::back_inserter(forced.differences));
  return forced;
}

}  // namespace

FindingIdentity identity_of(const Finding& finding) {
  if (finding.id == "time.bound") return {finding.id, {}, {}};  // who is late is a matter of the platform
  std::set<ActorId> ranks(finding.actors.begin(), finding.actors.end());
  if (finding.id == "crash.exit_status") return {finding.id, ranks, {}};  // who has ended stands nowhere
  std::set<std::tuple<ActorId, std::string, std::string, int>> places;
  for (const Location& at : finding.locations) places.emplace(at.actor, at.call, at.file, at.line);
  return {finding.id, ranks, places};
}

EngineOptions engine_options(const mc::Policy& policy, Schedule schedule, OutputSink* output) {
  EngineOptions options;
  options.eager_bytes = policy.eager_bytes;
  options.buffer_bytes = policy.eager_bytes;
  options.synchronising_collectives = policy.synchronising;
  options.own_code = OwnCode::none;
  options.forced = std::move(schedule);
  options.output = output;
  return options;
}

Result<Replay> replay(const Counterexample& counterexample, const MachineOptions& machine, double step_seconds,
                      OutputSink* output, Recorded recorded) {
  Task task{counterexample, machine, step_seconds, Recorded::nothing};
  const auto both = mc::compared_schedules(counterexample.finding.schedule);
  mc::Courses courses;
  std::uint64_t unused = 0;
  if (both) {
    auto first = run_forced(task, both->other, nullptr, nullptr);
    if (!first) return first.error();
    courses = std::move(first.value().courses);
    unused = first.value().run.result.unused_decisions;
  }
  task.recorded = recorded;
  auto forced = run_forced(task, both ? both->schedule : counterexample.finding.schedule, output,
                           both ? &courses : nullptr);
  if (!forced) return forced.error();
  Replay result{std::move(forced.value().machine), std::move(forced.value().program),
                std::move(forced.value().run), false, false};
  std::ranges::move(forced.value().differences, std::back_inserter(result.run.findings));
  const FindingIdentity wanted = identity_of(counterexample.finding);
  result.is_same = unused + result.run.result.unused_decisions == 0 &&
                   std::ranges::any_of(result.run.findings,
                                       [&](const Finding& finding) { return identity_of(finding) == wanted; });
  const std::string& id = counterexample.finding.id;
  if (!result.is_same && (id == "message.not_ready" || id.starts_with("collective.")))
    result.is_same = result.is_untimed = happens_without_time(counterexample, step_seconds);
  return result;
}

}  // namespace rehearse::cli
