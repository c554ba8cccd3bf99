// SPDX-License-Identifier: MIT
//
// Sums of a recorded run, by call, phase and link.
#include <algorithm>
#include <map>
#include <utility>

#include "app/exit_status.hpp"
#include "app/model_comparison.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

std::string call_of(const Recording& recording, const Interval& interval) {
  const std::string& text = recording.texts[interval.text];
  return text.substr(0, text.find('('));
}

// The file without its folder, as in reports.
std::string short_place(const Recording& recording, std::uint32_t place) {
  std::string text = recording.place_text(place);
  const std::size_t file_end = std::min(text.find(':'), text.size());
  const std::size_t slash = text.rfind('/', file_end);
  return slash == std::string::npos ? text : text.substr(slash + 1);
}

std::vector<ComparedCall> calls_of(const Recording& recording) {
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> known;
  std::vector<ComparedCall> calls;
  for (const Interval& interval : recording.intervals) {
    if (interval.doing == Doing::computation) continue;
    const auto [entry, is_new] = known.try_emplace({call_of(recording, interval), interval.place}, calls.size());
    if (is_new) calls.push_back({entry->first.first, short_place(recording, interval.place)});
    ComparedCall& call = calls[entry->second];
    call.is_collective = call.is_collective || interval.collective != none;
    call.times += interval.times;
    call.seconds += (interval.end - interval.begin).seconds();
  }
  std::ranges::stable_sort(calls, [](const auto& one, const auto& other) { return one.seconds > other.seconds; });
  return calls;
}

// A collective of all ranks that blocks, with the date when the last rank leaves it.
struct Joint {
  std::uint32_t ranks = 0;
  std::uint32_t interval = none;  // of its last rank
  TimePoint end;
};

std::vector<Joint> joints_of(const Recording& recording) {
  std::vector<Joint> joints(recording.collectives.size());
  std::vector<bool> blocks(recording.collectives.size(), true);
  for (const RecordedCompletion& completion : recording.completions)
    if (const std::uint32_t instance = recording.intervals[completion.start].collective; instance != none)
      blocks[instance] = false;
  for (std::uint32_t i = 0; i < recording.intervals.size(); ++i) {
    const Interval& interval = recording.intervals[i];
    if (interval.collective == none) continue;
    Joint& joint = joints[interval.collective];
    ++joint.ranks;
    if (joint.interval != none && interval.end < joint.end) continue;
    joint.interval = i;
    joint.end = interval.end;
  }
  std::vector<Joint> chosen;
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (blocks[i] && joints[i].ranks == recording.stops.size()) chosen.push_back(joints[i]);
  std::ranges::stable_sort(chosen, {}, &Joint::end);
  return chosen;
}

std::vector<ComparedPhase> phases_of(const Recording& recording) {
  std::map<std::string, std::size_t> known;
  std::vector<ComparedPhase> phases;
  TimePoint begin;
  const auto add = [&](const std::string& name, TimePoint end) {
    const auto [entry, is_new] = known.try_emplace(name, phases.size());
    if (is_new) phases.push_back({name});
    ComparedPhase& phase = phases[entry->second];
    ++phase.times;
    phase.seconds += (end - begin).seconds();
    begin = end;
  };
  for (const Joint& joint : joints_of(recording)) {
    const Interval& interval = recording.intervals[joint.interval];
    const std::string place = short_place(recording, interval.place);
    add(call_of(recording, interval) + (place.empty() ? "" : " at " + place), joint.end);
  }
  if (begin < recording.end) add("end", recording.end);
  return phases;
}

double part_of_capacity(const Platform& platform, LinkId link, double bytes, double seconds) {
  const double capacity = platform.link(link).bytes_per_second * seconds;
  return capacity > 0 ? bytes / capacity : 0;
}

std::vector<ComparedLink> links_of(const Platform& platform, const TimedRun& run) {
  const Recording& recording = *run.recording;
  const double seconds = run.result.end.seconds();
  std::vector<ComparedLink> links;
  if (!run.packets) {
    for (const RecordedLink& link : recording.links) {
      double bytes = 0;
      for (const float rate : link.rates) bytes += double{rate} * recording.slice.seconds();
      links.push_back({platform.link(link.link).name, bytes, part_of_capacity(platform, link.link, bytes, seconds)});
    }
    return links;
  }
  for (const PacketLink& link : run.packets->links) {
    const auto bytes = static_cast<double>(link.bytes);
    links.push_back({platform.link(link.link).name, bytes, part_of_capacity(platform, link.link, bytes, seconds),
                     link.drops, link.losses, link.marks, link.pauses, link.longest_queue_bytes});
  }
  return links;
}

}  // namespace

ModelRun model_run_of(const ModelChoice& choice, const Machine& machine, const TimedRun& run, double wall_seconds) {
  ModelRun result;
  result.label = choice.label;
  result.network = machine.network;
  result.platform = machine.platform.name() + " (" + counted(machine.platform.hosts().size(), "host") + ")";
  result.ranks = run.result.actors.size();
  if (!run.unsupported.empty()) {
    result.problem = list_of(run.unsupported);
    result.exit_status = exit_inconclusive;
    return result;
  }
  for (const Finding& finding : run.findings) {
    if (finding.severity != Severity::error) continue;
    result.finding = fmt::format("{}: {}", finding.id.text(), finding.message);
    result.exit_status = exit_violation;
    break;
  }
  const auto has_ended = [](const ActorOutcome& actor) { return actor.state == ActorOutcome::State::ended; };
  if (!std::ranges::all_of(run.result.outcome.actors, has_ended)) {
    result.problem = result.finding.empty() ? "not all ranks end" : result.finding;
    return result;
  }
  result.simulated_seconds = run.result.end.seconds();
  result.wall_seconds = wall_seconds;
  result.calls = calls_of(*run.recording);
  for (const ComparedCall& call : result.calls) result.call_seconds += call.seconds;
  result.phases = phases_of(*run.recording);
  result.links = links_of(machine.platform, run);
  if (run.packets) {
    result.has_packets = true;
    result.packet_hops = run.packets->totals.packet_hops;
    result.retransmissions = run.packets->totals.retransmissions;
    result.timeouts = run.packets->totals.timeouts;
  }
  return result;
}

}  // namespace rehearse::app
