// SPDX-License-Identifier: MIT
//
// See trace_replay.hpp.
#include <algorithm>
#include <chrono>
#include <utility>

#include "app/recorded_volume.hpp"
#include "app/trace/recording_file.hpp"
#include "app/trace/replay_options.hpp"
#include "app/trace_replay.hpp"
#include "simcore/support/format.hpp"
#include "trace/format.hpp"
#include "trace/replayed_program.hpp"

namespace rehearse::app {
EngineOptions engine_options_of(const TraceReplayRequest& request, const Machine& machine, bool has_reductions) {
  EngineOptions options;
  apply(machine.protocol, options);
  const double otherwise = has_reductions ? 0 : options.combine_flops_per_byte;
  options.combine_flops_per_byte = request.combine_flops_per_byte.value_or(otherwise);
  if (request.until_seconds) options.until = TimePoint{} + Duration::from_seconds(*request.until_seconds);
  return options;
}

namespace {

// Rates as speeds; returns the places that the trace does not have.
Result<std::vector<std::string>> set_speeds(const TraceReplayRequest& request, const trace::ReplayedProgram& program,
                                            const Machine& machine, trace::Alterations& alterations) {
  std::vector<std::string> unused;
  if (!request.rate && request.rate_file.empty()) return unused;
  const RecordedVolume volume = volume_in(program.format(), program.about());
  if (volume.kind == RecordedVolume::Kind::seconds)
    return Error{fmt::format("{}: the volumes of {} are processor time; accepted: a trace with instructions or flops",
                             request.rate ? "--rate" : "--rate-file", request.file)};
  if (request.rate) alterations.speeds.emplace_back().factor = *request.rate;
  if (!request.rate_file.empty()) {
    const auto rates = read_rates(request.rate_file);
    if (!rates) return Error{"--rate-file: " + rates.error().text};
    alterations.speeds.insert(alterations.speeds.end(), rates.value().begin(), rates.value().end());
  }
  const std::vector<trace::ActionPlace> places = program.places();
  for (trace::ComputeFactor& speed : alterations.speeds) {
    speed.factor *= volume.flops_per_unit;
    const bool fits = !speed.has_place() || std::ranges::any_of(places, [&](const trace::ActionPlace& place) {
      return speed.fits_place(place.file, place.function, place.line);
    });
    if (!fits) unused.push_back(trace::text_of(speed));
  }
  const auto hosts = static_cast<std::uint32_t>(machine.platform.hosts().size());
  for (std::uint32_t rank = 0; rank < program.actor_count(); ++rank) {
    const HostId host = machine.placement.empty() ? HostId{rank % hosts} : machine.placement[rank];
    alterations.host_speeds.push_back(machine.platform.host(host).flops_per_second);
  }
  return unused;
}

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
  auto machine = make_machine(request.machine, opened.value()->actor_count());
  if (!machine) return Error{prefix + machine.error().text};
  trace::Alterations alterations = request.alterations;
  auto unused_rates = set_speeds(request, *opened.value(), *machine.value(), alterations);
  if (!unused_rates) return Error{prefix + unused_rates.error().text};
  auto altered = trace::alter(std::move(opened.value()), alterations);
  if (!altered) return Error{prefix + "--scale-compute: " + altered.error().text};
  trace::ReplayedProgram& program = *altered.value();
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
  return TraceReplay{program.format(),
                     program.actions(),
                     program.about(),
                     program.frozen(),
                     std::move(unused_rates.value()),
                     std::move(machine.value()),
                     std::move(timed.value()),
                     passed.count()};
}

Result<TraceReplay> replay_any(const TraceReplayRequest& request, ReplayListener* listener) {
  const auto format = trace::find_format(request.file);
  if (!format) return format.error();
  return trace::is_goal(format.value()) ? replay_schedule(request, listener) : replay_trace(request, listener);
}

}  // namespace rehearse::app
