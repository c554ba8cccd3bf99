// SPDX-License-Identifier: MIT
//
// Efficiencies of schedules in the LogGOPS model, from simulations with other parameters.
#include <utility>

#include "app/trace/log_gops_simulation.hpp"
#include "app/trace/schedule_file.hpp"
#include "app/trace_efficiency.hpp"

namespace rehearse::app {
namespace {

using Parameters = trace::LogGopsParameters;

constexpr double in_seconds_of_ns(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

MeasuredWork work_of(const LogGopsReplay& replay) {
  MeasuredWork work;
  work.seconds = in_seconds_of_ns(replay.end_ns());
  for (const LogGopsRank& rank : replay.ranks) {
    const double seconds = in_seconds_of_ns(rank.compute_ns);
    work.ranks.push_back({seconds / rank.processors, seconds * TraceReplayRequest{}.schedule_flops_per_second});
  }
  return work;
}

struct ParameterStep {
  const char* name;
  void (*take)(Parameters& parameters);
};
constexpr ParameterStep parameter_steps[] = {
    {"no latency", [](Parameters& parameters) { parameters.latency = 0; }},
    {"infinite bandwidth", [](Parameters& parameters) { parameters.gap_per_byte = 0; }},
    {"no gaps between messages", [](Parameters& parameters) { parameters.gap = 0; }},
    {"no overheads", [](Parameters& parameters) { parameters.overhead = parameters.overhead_per_byte = 0; }},
};

Parameters ideal(Parameters parameters) {
  for (const ParameterStep& step : parameter_steps) step.take(parameters);
  return parameters;
}

// The end of a simulation that must end, as the first one did.
Result<double> end_of(const trace::ConvertedTrace& schedule, const Parameters& parameters) {
  const auto replay = simulate(schedule, parameters);
  if (!replay) return replay.error();
  if (!replay.value().has_ended())
    return Error{schedule.schedule.files.front() + ": the schedule ends, but not with the parameters of the what-ifs"};
  return in_seconds_of_ns(replay.value().end_ns());
}

// `schedule` is changed in the end.
Result<void> climb(trace::ConvertedTrace& schedule, const Parameters& parameters, EfficiencyFigures& figures) {
  const auto add = [&](const char* name, const Parameters& changed) -> Result<void> {
    const auto end = end_of(schedule, changed);
    if (!end) return end.error();
    figures.ladder.push_back({name, end.value()});
    return {};
  };
  figures.ladder.push_back({"as recorded", figures.work.seconds});
  for (const ParameterStep& step : parameter_steps) {
    Parameters changed = parameters;
    step.take(changed);
    if (const auto added = add(step.name, changed); !added) return added.error();
  }
  figures.ladder.push_back({"ideal network: all of these", figures.ideal_seconds});
  std::vector<double> factors;
  const double mean = figures.work.mean_seconds();
  for (const RankWork& rank : figures.work.ranks)
    factors.push_back(rank.compute_seconds > 0 ? mean / rank.compute_seconds : 1);
  trace::scale_calculations(schedule.schedule, factors);
  if (const auto added = add("equal computation on all ranks", parameters); !added) return added.error();
  return add("ideal network and equal computation", ideal(parameters));
}

Result<ScalingMetrics> compare_with_smaller(LogGopsRequest request, const EfficiencyRequest& of,
                                            const EfficiencyFigures& figures) {
  request.file = of.reference;
  const auto replay = replay_log_gops(request);
  if (!replay) return replay.error();
  if (!replay.value().has_ended())
    return Error{of.replay.verb + ": --reference " + of.reference + ": the replay does not end"};
  ScalingMetrics scaling = scaling_of(figures.work, work_of(replay.value()), of.scaling, figures.metrics.parallel);
  scaling.trace = of.reference;
  return scaling;
}

}  // namespace

Result<LogGopsEfficiency> measure_efficiency(const LogGopsRequest& replay, const EfficiencyRequest& request) {
  auto schedule = read_schedule(replay.file, replay.conversion, replay.wildcards);
  if (!schedule) return schedule.error();
  auto done = simulate(schedule.value(), replay.parameters);
  if (!done) return done.error();
  LogGopsEfficiency efficiency;
  efficiency.replay = std::move(done.value());
  if (!efficiency.is_complete()) return efficiency;
  efficiency.work = work_of(efficiency.replay);
  const auto end = end_of(schedule.value(), ideal(replay.parameters));
  if (!end) return end.error();
  efficiency.ideal_seconds = end.value();
  efficiency.metrics = efficiency_of(efficiency.work, efficiency.ideal_seconds);
  if (!request.reference.empty()) {
    auto scaling = compare_with_smaller(replay, request, efficiency);
    if (!scaling) return scaling.error();
    efficiency.scaling = std::move(scaling.value());
  }
  if (!request.has_ladder) return efficiency;
  if (const auto climbed = climb(schedule.value(), replay.parameters, efficiency); !climbed) return climbed.error();
  return efficiency;
}

}  // namespace rehearse::app
