// SPDX-License-Identifier: MIT
//
// See link_changes.hpp.
#include "simcore/cost/link_changes.hpp"

namespace rehearse::cost {

void LinkChanges::change(LinkId link, double bytes_per_second, double latency, TimePoint now) {
  network::LinkState& state = state_.links[link];
  const double weight_change =
      latency - state.latency_seconds +
      (state_.parameters.weight_bytes / bytes_per_second - state_.parameters.weight_bytes / state.bytes_per_second);
  const bool has_new_latency = latency != state.latency_seconds;
  const bool has_new_bandwidth = bytes_per_second != state.bytes_per_second;
  if (!has_new_latency && !has_new_bandwidth) return;
  state.latency_seconds = latency;
  state.bytes_per_second = bytes_per_second;
  const LinkSharing sharing = state_.platform.link(link).sharing;
  const bool is_capacity = state_.links.is_resource(link) && sharing != LinkSharing::wifi;
  if (has_new_bandwidth && is_capacity && state.resource != network::LinkState::none)
    state_.fluid.set_capacity(state.resource, bytes_per_second, now);
  for (const std::uint32_t path : state_.paths.paths_of(link)) {
    state_.path_maker->refresh(state_.paths[path]);
    for (std::uint32_t i = state_.paths[path].first_transfer; i != none; i = slots_[i].next)
      transfers_.refresh(i, weight_change, has_new_latency, now);
    tasks_.refresh_on_path(path, now);
  }
  if (has_new_bandwidth)
    observers_.notify([&](ResourceObserver& observer, ObserverNeeds needs) {
      if (needs.speeds) observer.on_link_bandwidth(link, bytes_per_second, now);
    });
  if (has_new_latency)
    observers_.notify([&](ResourceObserver& observer, ObserverNeeds needs) {
      if (needs.speeds) observer.on_link_latency(link, latency, now);
    });
}

void LinkChanges::catch_up_path(std::uint32_t path, TimePoint now) {
  for (const std::vector<LinkId>* links : {&state_.paths[path].links, &state_.paths[path].reverse})
    for (const LinkId link : *links) catch_up(link, now);
}

void LinkChanges::set_wifi_rate(LinkId link, HostId station, std::uint32_t level, TimePoint now) {
  state_.links.set_wifi_level(link, station, level);
  for (const std::uint32_t path : state_.paths.paths_of(link)) {
    state_.path_maker->refresh(state_.paths[path]);
    for (std::uint32_t i = state_.paths[path].first_transfer; i != none; i = slots_[i].next)
      transfers_.refresh_uses(i, now);
    tasks_.refresh_on_path(path, now);
  }
}

}  // namespace rehearse::cost
