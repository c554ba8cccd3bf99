// SPDX-License-Identifier: MIT
//
// See actor_run.hpp.
#include "app/actor_run.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace rehearse::app {
namespace {

// Texts of exceptions and crashes may contain dates and addresses.
bool is_same(const Finding& a, const Finding& b) {
  const auto places = [](const Finding& finding) {
    std::set<std::tuple<std::string, std::string, int>> result;
    for (const Location& at : finding.locations)
      result.emplace(finding.id.family() == finding_ids::deadlock ? at.what : "", at.file, at.line);
    return result;
  };
  return a.id == b.id && places(a) == places(b);
}

// A loop is taken twice, and then the program is stopped.
std::size_t steps_of(const Counterexample& of) {
  return of.loop.value_or(0) > 0 ? of.steps.size() + *of.loop : ~std::size_t{0};
}

// Whether the steps are those of the counter-example, and those of its loop come twice. Without a loop, the program has
// ended without an error.
bool repeats(const Counterexample& of, const ActorWalk& walk) {
  const std::size_t loop = *of.loop;
  if (walk.unused > 0 || walk.steps.size() != of.steps.size() + loop || walk.goes_on != (loop > 0)) return false;
  if (!walk.unsupported.empty()) return false;
  for (std::size_t i = 0; i < walk.steps.size(); ++i)
    if (walk.steps[i].text != of.steps[i < of.steps.size() ? i : i - loop].text) return false;
  return true;
}

}  // namespace

Result<ActorRun> run_actors(const ActorRunRequest& request) {
  ActorRecorder recorder;
  ActorEvents events;
  if (request.with_pictures) events = [&](const ActorEvent& event) { recorder.add(event); };
  auto run = run_actor_program(request.launch, events, request.with_usage, request.latest);
  if (!run) return run.error();
  ActorRun result{std::move(run.value()), {}, {}};
  result.findings = judge_actors(result.run.id, result.run.what, result.run.exit_status, result.run.stops);
  if (!request.with_pictures) return result;
  auto pictures = recorder.finish(result.run.platform, result.run.end, result.run.stops);
  if (!pictures) return pictures.error();
  result.pictures = std::move(pictures.value());
  return result;
}

Result<ActorReplay> replay_actors(const ActorReplayRequest& request,
                                  const std::function<void(const ActorStep&)>& taken) {
  const Counterexample& of = request.counterexample;
  RemoteActorProgram::Launch launch{of.program, of.arguments};
  launch.with_dates = true;
  launch.shows_output = request.shows_output;
  launch.max_step_seconds = request.step_seconds;
  launch.stop = request.stop;
  auto program = RemoteActorProgram::launch(launch);
  if (!program) return program.error();
  ActorRecorder recorder;
  if (request.with_pictures) program.value()->watch([&](const ActorEvent& event) { recorder.add(event); });
  ActorReplay replay;
  replay.walk = walk(*program.value(), of.finding.witness.schedule, taken, steps_of(of));
  replay.errors = program.value()->errors();
  replay.platform = program.value()->platform();
  if (of.loop) {
    replay.is_same = repeats(of, replay.walk);
    if (replay.is_same) replay.walk.findings = {of.finding};
  } else {
    replay.is_same = replay.walk.unused == 0 && std::ranges::any_of(replay.walk.findings, [&](const Finding& finding) {
                       return is_same(finding, of.finding);
                     });
  }
  for (Finding& finding : replay.walk.findings) finding.witness = of.finding.witness;
  if (!request.with_pictures) return replay;
  auto pictures = recorder.finish(replay.platform, replay.walk.end, program.value()->end());
  if (!pictures) return pictures.error();
  replay.pictures = std::move(pictures.value());
  return replay;
}

}  // namespace rehearse::app
