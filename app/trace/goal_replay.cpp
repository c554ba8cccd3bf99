// SPDX-License-Identifier: MIT
//
// GOAL schedules on a platform.
#include <chrono>
#include <utility>

#include "app/trace/replay_options.hpp"
#include "app/trace/schedule_findings.hpp"
#include "app/trace_replay.hpp"
#include "trace/goal.hpp"
#include "trace/goal_program.hpp"

namespace rehearse::app {
namespace {

// Actors of processors are on the host of their rank.
std::vector<HostId> placement_of(const trace::GoalProgram& program, const Machine& machine) {
  std::vector<HostId> placement;
  const auto hosts = static_cast<std::uint32_t>(machine.platform.hosts().size());
  for (std::uint32_t actor = 0; actor < program.actor_count(); ++actor) {
    const std::uint32_t rank = program.rank_of({actor});
    placement.push_back(machine.placement.empty() ? HostId{rank % hosts} : machine.placement[rank]);
  }
  return placement;
}

// What processors computed belongs to their ranks.
void fold_processors(TimedRun& run, const trace::GoalProgram& program) {
  std::vector<ActorResult>& actors = run.result.actors;
  for (std::uint32_t i = program.ranks(); i < actors.size(); ++i)
    actors[program.rank_of({i})].compute_seconds += actors[i].compute_seconds;
  actors.resize(program.ranks());
  run.result.outcome.actors.resize(program.ranks());
}

}  // namespace

Result<TraceReplay> replay_schedule(const TraceReplayRequest& request, ReplayListener* listener) {
  const std::string prefix = request.verb + ": ";
  auto schedule = trace::read_goal(request.file);
  if (!schedule) return schedule.error();
  trace::scale_calculations(schedule.value(), request.alterations.rank_factors);
  trace::GoalProgram program(schedule.value(), request.schedule_flops_per_second);
  if (listener != nullptr && listener->needs_ranks_alone() && program.actor_count() > program.ranks())
    return Error{prefix + "a rank of " + request.file +
                 " computes while other operations begin; accepted: ranks that are chains of operations, or --network "
                 "loggops"};
  if (request.recorded != Recorded::nothing && program.actor_count() > program.ranks())
    return Error{prefix + "--timeline, --sequence and --report: a rank of " + request.file +
                 " computes while other operations begin; accepted: ranks that are chains of operations"};
  auto machine = make_machine(request.machine, program.ranks());
  if (!machine) return Error{prefix + machine.error().text};
  machine.value()->placement = placement_of(program, *machine.value());
  machine.value()->collectives = trace::empty_schedules();
  const auto begin = std::chrono::steady_clock::now();
  EngineOptions options = engine_options_of(request, *machine.value(), true);
  // Only those that the user names: the schedule may have those of an MPI library as calculations.
  options.message_costs = request.machine.changes.has_overheads ? request.machine.protocol.costs : MessageCosts{};
  if (listener != nullptr) options.timeline = &listener->listen(program, *machine.value());
  auto timed = run_timed(program, *machine.value(), std::move(options), {}, request.recorded);
  if (!timed) return Error{prefix + timed.error().text, timed.error().is_inconclusive};
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  if (!timed.value().result.was_cut)
    timed.value().findings = schedule_findings(schedule.value(), program.leftovers(timed.value().result.outcome));
  fold_processors(timed.value(), program);
  machine.value()->placement.resize(program.ranks());
  return TraceReplay{program.format(),         program.actions(), {}, {}, {}, std::move(machine.value()),
                     std::move(timed.value()), passed.count()};
}

}  // namespace rehearse::app
