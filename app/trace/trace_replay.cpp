// SPDX-License-Identifier: MIT
//
// See trace_replay.hpp.
#include <chrono>
#include <utility>

#include "app/trace/recording_file.hpp"
#include "app/trace/replay_options.hpp"
#include "app/trace_replay.hpp"
#include "trace/replayed_program.hpp"

namespace rehearse::app {
EngineOptions engine_options_of(const TraceReplayRequest& request, const Machine& machine, bool has_reductions) {
  EngineOptions options;
  apply(machine.protocol, options);
  const double otherwise = has_reductions ? 0 : options.combine_flops_per_byte;
  options.combine_flops_per_byte = request.combine_flops_per_byte.value_or(otherwise);
  return options;
}

namespace {

// The recorded execution ended, so a message that nobody receives did no harm there.
void tolerate_lost_messages(std::vector<Finding>& findings) {
  for (Finding& finding : findings)
    if (finding.id == finding_ids::message_lost) finding.severity = Severity::warning;
}

}  // namespace

Result<TraceReplay> replay_trace(const TraceReplayRequest& request, ReplayListener* listener) {
  const std::string prefix = request.verb + ": ";
  auto opened = trace::open_replicas(request.file, request.wildcards, request.replicas);
  if (!opened) return opened.error();
  auto altered = trace::alter(std::move(opened.value()), request.alterations);
  if (!altered) return Error{prefix + "--scale-compute: " + altered.error().text};
  trace::ReplayedProgram& program = *altered.value();
  auto machine = make_machine(request.machine, program.actor_count());
  if (!machine) return Error{prefix + machine.error().text};
  const auto begin = std::chrono::steady_clock::now();
  EngineOptions options = engine_options_of(request, *machine.value(), program.has_reductions());
  if (listener != nullptr) options.timeline = &listener->listen(program, *machine.value());
  auto timed = run_timed(program, *machine.value(), std::move(options), {}, request.recorded);
  if (program.problem()) return *program.problem();
  if (!timed) return Error{prefix + timed.error().text, timed.error().is_inconclusive};
  timed.value().sampling.skipped = mark_in(program.about()).left_out;
  timed.value().folding.corrupts_data = mark_in(program.about()).is_folded;
  tolerate_lost_messages(timed.value().findings);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  return TraceReplay{program.format(),           program.actions(),        program.about(), program.frozen(),
                     std::move(machine.value()), std::move(timed.value()), passed.count()};
}

}  // namespace rehearse::app
