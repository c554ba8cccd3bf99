// SPDX-License-Identifier: MIT
//
// See interval_recorder.hpp.
#include "app/interval_recorder.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>

#include "simcore/mark_stream.hpp"
#include "simcore/support/format.hpp"
#include "trace/computation.hpp"

namespace rehearse::app {
namespace {

constexpr std::uint64_t start_site = 0, end_site = ~std::uint64_t{0};
constexpr std::uint64_t timed_part = 64;  // one of so many is timed
constexpr std::size_t most_timed = 100'000;

using SteadyClock = std::chrono::steady_clock;

// The time of a measurement of nothing.
double clock_nanoseconds() {
  std::vector<double> all;
  for (int i = 0; i < 101; ++i) {
    const auto begin = SteadyClock::now();
    all.push_back(std::chrono::duration<double, std::nano>(SteadyClock::now() - begin).count());
  }
  std::ranges::nth_element(all, all.begin() + 50);
  return all[50];
}

bool is_poll_without_success(const Operation& operation, const Observation& answer) {
  const auto* observe = std::get_if<Observe>(&operation);
  const auto* probe = std::get_if<Probe>(&operation);
  if (observe != nullptr) return !observe->blocking && !answer.flag;
  return probe != nullptr && !probe->blocking && !answer.flag;
}

bool is_call_of_library(const Operation& operation) {
  return std::holds_alternative<Send>(operation) || std::holds_alternative<Post>(operation) ||
         std::holds_alternative<Observe>(operation) || std::holds_alternative<Probe>(operation) ||
         std::holds_alternative<Collective>(operation);
}

}  // namespace

void IntervalRecorder::begin(Program& program, double flops_per_second) {
  program_ = &program;
  seconds_per_flop_ = 1 / flops_per_second;
  ranks_.assign(program.actor_count(), {});
}

void IntervalRecorder::on_application(ActorId actor, double flops, VolumeOrigin) {
  Rank& rank = ranks_[actor.value];
  rank.flops += flops;
  for (OpenRegion& each : rank.open) each.flops += flops;
}

void IntervalRecorder::on_answer(ActorId actor, const Operation& operation, const Observation& answer, Duration) {
  if (const auto* compute = std::get_if<Compute>(&operation)) return on_application(actor, compute->flops, {});
  if (is_poll_without_success(operation, answer)) return;
  if (++count_ % timed_part != 0 || timed_.size() >= most_timed) return note(actor, operation);
  const auto begin = SteadyClock::now();
  note(actor, operation);
  timed_.push_back(std::chrono::duration<float, std::nano>(SteadyClock::now() - begin).count());
}

void IntervalRecorder::note(ActorId actor, const Operation& operation) {
  Rank& rank = ranks_[actor.value];
  if (markers_ == IntervalMarkers::user) {
    const auto* log = std::get_if<Log>(&operation);
    if (log != nullptr && log->stream == mark_stream) note_mark(rank, log->text);
    return;
  }
  if (is_call_of_library(operation)) note_call(rank, operation, program_->site(actor));
}

void IntervalRecorder::on_stop(ActorId actor, const Operation& operation) {
  if (markers_ == IntervalMarkers::automatic && std::holds_alternative<End>(operation)) {
    note_call(ranks_[actor.value], operation, end_site);
  }
}

// A call can be several operations at one place, without computation between them.
void IntervalRecorder::note_call(Rank& rank, const Operation& operation, std::uint64_t site) {
  const bool goes_on = rank.flops == 0 && site == rank.before && !rank.intervals.empty();
  if (!goes_on) rank.intervals.push_back({marker_of(rank.before, site), rank.flops});
  rank.before = site;
  rank.flops = 0;
  Interval& last = rank.intervals.back();
  if (const auto* send = std::get_if<Send>(&operation)) {
    ++last.messages;
    last.bytes += send->data.size();
  } else if (const auto* collective = std::get_if<Collective>(&operation)) {
    last.bytes += collective->contribution.size();
  }
}

void IntervalRecorder::note_mark(Rank& rank, std::string_view name) {
  if (!name.empty()) {
    const auto [at, is_new] = marker_of_name_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.emplace_back(name);
    rank.open.push_back({at->second, 0});
    return;
  }
  if (rank.open.empty()) return;  // the library reports it
  rank.intervals.push_back({rank.open.back().marker, rank.open.back().flops});
  rank.open.pop_back();
}

std::uint32_t IntervalRecorder::marker_of(std::uint64_t before, std::uint64_t after) {
  // Sites are hashes or addresses: products with large odd numbers keep pairs apart.
  const std::uint64_t hash = (before * 0x9e3779b97f4a7c15u ^ after) * 0xbf58476d1ce4e5b9u;
  KnownMarker& known = known_[hash >> 56];
  if (known.is_known && known.before == before && known.after == after) return known.marker;
  known = {before, after, find_marker(before, after, hash), true};
  return known.marker;
}

// Another pair with the same key gets the next one.
std::uint32_t IntervalRecorder::find_marker(std::uint64_t before, std::uint64_t after, std::uint64_t hash) {
  for (std::uint64_t key = hash;; ++key) {
    const auto [at, is_new] = marker_of_places_.try_emplace(key, static_cast<std::uint32_t>(places_.size()));
    if (is_new) places_.emplace_back(before, after);
    if (places_[at->second] == std::pair(before, after)) return at->second;
  }
}

void IntervalRecorder::finish(const std::function<trace::CallPlace(std::uint64_t site)>& locate) {
  for (const Rank& rank : ranks_) {
    if (!rank.open.empty()) open_region_ = names_[rank.open.back().marker];
  }
  if (markers_ == IntervalMarkers::user) return;
  const auto name = [&](std::uint64_t site) -> std::string {
    if (site == start_site) return "start";
    if (site == end_site) return "end";
    const trace::CallPlace at = locate(site);
    return trace::call_name(at.call, at.function, at.file, static_cast<std::uint32_t>(std::max(at.line, 0)));
  };
  for (const auto& [before, after] : places_) names_.push_back(trace::marker_name(name(before), name(after)));
}

void IntervalRecorder::write(std::ostream& out) const {
  out << "rank,marker,iteration,seconds,messages,bytes\n";
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    std::unordered_map<std::string, std::uint64_t> iterations;  // places of one name are one marker
    for (const Interval& each : ranks_[rank].intervals) {
      const std::string& name = names_[each.marker];
      out << fmt::format("{},{},{},{:.9g},{},{}\n", rank, name, iterations[name]++, each.flops * seconds_per_flop_,
                         each.messages, each.bytes);
    }
  }
}

IntervalCost IntervalRecorder::cost() const {
  IntervalCost cost;
  for (const Rank& each : ranks_) cost.intervals += each.intervals.size();
  if (timed_.empty()) return cost;
  std::vector<float> sorted = timed_;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
  cost.nanoseconds = std::max(0.0, sorted[sorted.size() / 2] - clock_nanoseconds());
  return cost;
}

}  // namespace rehearse::app
