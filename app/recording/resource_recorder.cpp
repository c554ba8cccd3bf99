// SPDX-License-Identifier: MIT
//
// Sums by slices.
#include "app/recording/resource_recorder.hpp"

#include <algorithm>

namespace rehearse::app {

ResourceRecorder::ResourceRecorder(const Platform& platform, CostModel& costs)
    : hosts_(platform, costs), host_count_(platform.hosts().size()), links_(platform.links().size()) {
  costs.observe(*this, {.speeds = false, .loads = true});
}

void ResourceRecorder::on_link_load(LinkId link, double bytes_per_second, TimePoint now) {
  State& state = links_[link.value];
  add_bytes(state, now);
  state.rate = bytes_per_second;
}

void ResourceRecorder::on_link_packet(LinkId link, double bytes, TimePoint from, TimePoint until) {
  const TimePoint end = std::max(until, from + Duration{1});
  add_rate(links_[link.value], bytes / (end - from).seconds(), from, end);
}

// Widens the slices until they reach the date.
void ResourceRecorder::widen(TimePoint until) {
  while (until.picoseconds > slice_ * slices_max) {
    slice_ *= 2;
    for (State& state : links_) {
      if (state.bytes.empty()) continue;
      for (std::uint32_t i = 0; i < slices_max / 2; ++i) state.bytes[i] = state.bytes[2 * i] + state.bytes[2 * i + 1];
      std::fill(state.bytes.begin() + slices_max / 2, state.bytes.end(), 0);
    }
  }
}

void ResourceRecorder::add_bytes(State& state, TimePoint until) {
  const TimePoint from = state.since;
  state.since = until;
  if (state.rate > 0 && until > from) add_rate(state, state.rate, from, until);
}

void ResourceRecorder::add_rate(State& state, double rate, TimePoint begin, TimePoint until) {
  std::int64_t from = begin.picoseconds;
  widen(until);
  if (state.bytes.empty()) state.bytes.resize(slices_max);
  while (from < until.picoseconds) {
    const std::int64_t slice = from / slice_;
    const std::int64_t end = std::min(until.picoseconds, (slice + 1) * slice_);
    state.bytes[static_cast<std::size_t>(slice)] += rate * Duration{end - from}.seconds();
    from = end;
  }
}

void ResourceRecorder::finish(Recording& recording) {
  widen(recording.end);
  for (State& state : links_) add_bytes(state, std::max(state.since, recording.end));
  recording.slice = {slice_};
  const auto used = static_cast<std::size_t>(
      std::clamp<std::int64_t>((recording.end.picoseconds + slice_ - 1) / slice_, 1, slices_max));
  for (std::uint32_t i = 0; i < links_.size(); ++i) {
    if (links_[i].bytes.empty()) continue;
    RecordedLink& link = recording.links.emplace_back();
    link.link = {i};
    for (std::size_t k = 0; k < used; ++k)
      link.rates.push_back(static_cast<float>(links_[i].bytes[k] / recording.slice.seconds()));
  }
  for (std::uint32_t i = 0; i < host_count_; ++i) recording.host_flops.push_back(hosts_.flops({i}, recording.end));
}

}  // namespace rehearse::app
