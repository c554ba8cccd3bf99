// SPDX-License-Identifier: MIT
//
// Timed runs that a schedule forces.
#include "app/replay.hpp"

#include <algorithm>

#include "app/launch.hpp"
#include "app/predict/prediction.hpp"
#include "app/replay/untimed_replay.hpp"
#include "app/trace/recording_file.hpp"
#include "mc/cut_program.hpp"
#include "mc/effects_watch.hpp"
#include "mc/states_watch.hpp"
#include "properties/differences.hpp"
#include "properties/process_failures.hpp"
#include "properties/time_bound.hpp"
#include "properties/words.hpp"
#include "trace/trace_recorder.hpp"

namespace rehearse::app {
namespace {

struct Forced {
  std::unique_ptr<Machine> machine;
  std::unique_ptr<smpi::LoadedProgram> program;
  TimedRun run;
  mc::EffectTraces traces;
  std::vector<Finding> watched;  // findings that judges of a single end cannot see
};

struct Task {
  const ReplayRequest& request;
  const MachineOptions& machine;
  bool is_recorded;  // as the request says
};

void add_states(mc::StatesWatch& watch, const Finding& wanted, std::vector<Finding>& all) {
  const auto is_wanted = [&](const GlobalState& state) {
    return std::ranges::any_of(properties::report_state(state),
                               [&](const Finding& finding) { return identity_of(finding) == identity_of(wanted); });
  };
  for (const GlobalState& state : watch.states(is_wanted))
    std::ranges::move(properties::report_state(state), std::back_inserter(all));
}

Result<Forced> run_forced(const Task& task, const Schedule& schedule, OutputSink* output,
                          const mc::EffectTraces* compared_with) {
  const Counterexample& of = task.request.counterexample;
  MachineOptions on = task.machine;
  if (on.on.empty()) on.on = of.platform;
  auto machine = make_machine(on, of.ranks);
  if (!machine) return machine.error();
  auto program = launch_to_replay(job_of(of));
  if (!program) return program.error();
  place_started(*machine.value(), program.value()->actor_count());
  program.value()->limit_steps({task.request.step_seconds, UINT64_MAX, on.stop});
  const Witness& witness = of.finding.witness;
  const bool is_of_states = of.finding.id.family() == finding_ids::property;
  std::optional<mc::EffectsWatch> effects;
  std::optional<mc::StatesWatch> states;
  Program* watched = program.value().get();
  if (witness.compared_with) watched = &effects.emplace(*watched, compared_with);
  std::optional<mc::CutProgram> cut;
  if (of.loop) watched = &cut.emplace(*watched, of.operations);
  else if (is_of_states) watched = &states.emplace(*watched);
  EngineOptions options = engine_options(of.policy, schedule, output);
  options.message_costs = machine.value()->protocol.costs;
  options.handshake = machine.value()->protocol.handshake;
  apply(on.compute, options);
  if (of.time_bound)  // the machine buffers
    options = options_to_predict(*machine.value(), on.compute, schedule);
  options.output = output;
  std::unique_ptr<trace::TraceRecorder> recorder;
  if (task.is_recorded && !task.request.trace.empty()) {
    auto made = trace::TraceRecorder::create(task.request.trace, *watched,
                                             about_recording(task.request, options, *machine.value()),
                                             !options.message_costs.are_none());
    if (!made) return made.error();
    recorder = std::move(made.value());
    options.tap = recorder.get();
  }
  const Recorded pictures = task.is_recorded ? task.request.recorded : Recorded::nothing;
  auto run = run_timed(*watched, *machine.value(), std::move(options), {}, pictures);
  if (!run) return run.error();
  if (recorder != nullptr) {
    const auto locate = [&](std::uint64_t site) { return place_of_call(*program.value(), site); };
    if (const auto written = recorder->finish(locate, about_end_of(run.value())); !written) return written.error();
  }
  if (of.time_bound)
    if (auto late = properties::judge_time(run.value().result, machine.value()->platform.name(), *of.time_bound))
      run.value().findings.push_back(std::move(*late));
  Forced forced{std::move(machine.value()), std::move(program.value()), std::move(run.value()), {}, {}};
  if (effects) forced.traces = effects->traces();
  if (effects)
    for (const Difference& difference : effects->differences(witness))
      std::ranges::move(properties::report_difference(difference), std::back_inserter(forced.watched));
  if (states) add_states(*states, of.finding, forced.watched);
  if (cut) {  // what ranks wait for when others have been cut off is no finding
    forced.run.findings.clear();
    forced.run.unsupported.clear();
    if (cut->has_run()) forced.run.findings.push_back(of.finding);
  }
  return forced;
}

// Whether the finding is about a possible order of events, which need not be the order of the dates on one machine.
bool may_happen_unseen(const FindingId& id) {
  return id == finding_ids::message_not_ready || id.family() == finding_ids::collective ||
         id.family() == finding_ids::property;
}

std::vector<RankStop> stops_of(const RunResult& run, const Platform& platform) {
  std::vector<RankStop> stops;
  for (std::uint32_t rank = 0; rank < run.actors.size(); ++rank) {
    const ActorResult& actor = run.actors[rank];
    const CallDescription where = actor.where ? *actor.where : CallDescription{};
    const bool has_failed = properties::has_failed(run.outcome, {rank});
    stops.push_back({rank, platform.host(actor.host).name, actor.stopped,
                     has_failed ? ActorOutcome::State::failed : run.outcome.actors[rank].state,
                     properties::place({rank}, where, "")});
  }
  return stops;
}

}  // namespace

FindingIdentity identity_of(const Finding& finding) {
  if (finding.id == finding_ids::time_bound) return {finding.id, {}, {}};  // the late rank depends on the platform
  std::set<ActorId> ranks(finding.actors.begin(), finding.actors.end());
  if (finding.id == finding_ids::crash_exit_status) return {finding.id, ranks, {}};  // a rank that ended has no place
  std::set<std::tuple<ActorId, std::string, std::string, int>> places;
  for (const Location& at : finding.locations) places.emplace(at.actor, at.call, at.file, at.line);
  return {finding.id, ranks, places};
}

EngineOptions engine_options(const Policy& policy, Schedule schedule, OutputSink* output) {
  EngineOptions options;
  options.eager_bytes = policy.eager_bytes;
  options.buffer_bytes = policy.eager_bytes;  // of mixed buffering: room for all but the sends that the schedule names
  options.synchronising_collectives = policy.synchronising;
  options.application_cost = ApplicationCost::none;
  options.forced = std::move(schedule);
  options.output = output;
  return options;
}

Result<Replay> replay(const ReplayRequest& request, const ReplayHooks& hooks) {
  const Counterexample& counterexample = request.counterexample;
  MachineOptions without_capture = request.machine;
  without_capture.pcap.clear();
  const Task without_records{request, without_capture, false};
  const Witness& witness = counterexample.finding.witness;
  mc::EffectTraces traces;
  std::uint64_t unused = 0;
  if (witness.compared_with) {
    auto first = run_forced(without_records, *witness.compared_with, nullptr, nullptr);
    if (!first) return first.error();
    traces = std::move(first.value().traces);
    unused = first.value().run.result.unused_decisions;
  }
  const Task task{request, request.machine, true};
  auto forced = run_forced(task, witness.schedule, hooks.output, witness.compared_with ? &traces : nullptr);
  if (!forced) return forced.error();
  Replay result{std::move(forced.value().machine), std::move(forced.value().program), std::move(forced.value().run)};
  std::ranges::move(forced.value().watched, std::back_inserter(result.run.findings));
  const FindingIdentity wanted = identity_of(counterexample.finding);
  result.is_same =
      unused + result.run.result.unused_decisions == 0 &&
      std::ranges::any_of(result.run.findings, [&](const Finding& finding) { return identity_of(finding) == wanted; });
  if (result.run.result.was_interrupted) result.is_same = false;
  if (!result.is_same && !result.run.result.was_interrupted && !counterexample.loop &&
      may_happen_unseen(counterexample.finding.id))
    result.is_same = result.is_untimed = happens_without_time(counterexample, request.step_seconds);
  for (Finding& finding : result.run.findings) finding.witness = witness;
  result.stops = stops_of(result.run.result, result.machine->platform);
  if (!counterexample.window_objects.empty()) result.stops.resize(counterexample.ranks);  // objects of windows follow
  if (hooks.replayed) hooks.replayed(*result.program);
  if (counterexample.loop) return result;  // without a schedule, it may never end
  if (!request.finds_likely_orders || result.run.result.was_interrupted) return result;
  auto likely = likely_orders(counterexample, without_capture, request.step_seconds);
  if (!likely) return likely.error();
  result.likely = std::move(likely.value());
  return result;
}

}  // namespace rehearse::app
