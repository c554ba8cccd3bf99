// SPDX-License-Identifier: MIT
//
// Resources that change, and what that means for the activities on them.
#include <algorithm>

#include "simcore/cost/shared_cost_model.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::cost {

using compute::HostState;
using network::Path;

template <class Call>
void SharedCostModel::tell(const Call& call) {
  for (const Observation& observation : observers_) call(*observation.observer, observation.needs);
}

void SharedCostModel::set_bandwidth(LinkId link, double bytes_per_second, TimePoint now) {
  REHEARSE_ASSERT(bytes_per_second > 0, "a link has a bandwidth");
  go_to(now);
  catch_up(link, now);
  change_link(link, bytes_per_second, links_[link].latency_seconds, now);
}

void SharedCostModel::set_latency(LinkId link, double seconds, TimePoint now) {
  REHEARSE_ASSERT(seconds >= 0, "a latency is not negative");
  go_to(now);
  catch_up(link, now);
  change_link(link, links_[link].bytes_per_second, seconds, now);
}

double SharedCostModel::bandwidth(LinkId link, TimePoint now) {
  go_to(now);
  catch_up(link, now);
  return links_[link].bytes_per_second;
}

double SharedCostModel::link_latency(LinkId link, TimePoint now) {
  go_to(now);
  catch_up(link, now);
  return links_[link].latency_seconds;
}

void SharedCostModel::change_link(LinkId link, double bytes_per_second, double latency,
                                  TimePoint now) {
  network::LinkState& state = links_[link];
  const double weight_change =
      latency - state.latency_seconds +
      (parameters_.weight_bytes / bytes_per_second -
       parameters_.weight_bytes / state.bytes_per_second);
  const bool has_new_latency = latency != state.latency_seconds;
  const bool has_new_bandwidth = bytes_per_second != state.bytes_per_second;
  if (!has_new_latency && !has_new_bandwidth) return;
  state.latency_seconds = latency;
  state.bytes_per_second = bytes_per_second;
  const LinkSharing sharing = platform_.link(link).sharing;
  const bool is_capacity = sharing == LinkSharing::shared ||
                           (sharing == LinkSharing::fatpipe && parameters_.has_quirks);
  if (has_new_bandwidth && is_capacity && state.resource != network::LinkState::none)
    activities_.set_capacity(state.resource, bytes_per_second, now);
  for (const std::uint32_t path : paths_.paths_of(link)) {
    path_maker_->refresh(paths_[path]);
    for (std::uint32_t i = paths_[path].first_transfer; i != none; i = slots_[i].next)
      refresh_transfer(i, weight_change, has_new_latency, now);
    refresh_tasks_on_path(path, now);
  }
  if (has_new_bandwidth)
    tell([&](ResourceObserver& observer, ObserverNeeds needs) {
      if (needs.speeds) observer.on_link_bandwidth(link, bytes_per_second, now);
    });
}

// The path is as the link is now. With quirks a flow keeps the least bandwidth at its start as a bound
// (F2), forgets it when a latency changes, and adds what changes to its weight.
void SharedCostModel::refresh_transfer(std::uint32_t index, double weight_change,
                                       bool has_new_latency, TimePoint now) {
  Slot& slot = slots_[index];
  if (slot.kind != Kind::transfer || slot.activity == none) return;
  const Path& path = paths_[slot.subject];
  if (parameters_.has_quirks) {
    slot.weight += weight_change;
    activities_.set_weight(slot.activity, weight_of(slot), now);
    if (has_new_latency)
      activities_.set_bound(slot.activity, std::min(path.window_bound, slot.rate / slot.scale), now);
    return;
  }
  if (slot.weight != path.weight) {
    slot.weight = path.weight;
    activities_.set_weight(slot.activity, weight_of(slot), now);
  }
  activities_.set_bound(slot.activity, bound_of_transfer(slot), now);
}

void SharedCostModel::set_wifi_rate(LinkId link, HostId station, std::uint32_t level,
                                    TimePoint now) {
  go_to(now);
  links_.set_wifi_level(link, station, level);
  for (const std::uint32_t path : paths_.paths_of(link)) {
    path_maker_->refresh(paths_[path]);
    for (std::uint32_t i = paths_[path].first_transfer; i != none; i = slots_[i].next) {
      if (slots_[i].activity == none) continue;
      activities_.set_coefficients(slots_[i].activity, uses_of_transfer(i), now);
      refresh_transfer(i, 0, false, now);
    }
    refresh_tasks_on_path(path, now);
  }
}

void SharedCostModel::set_concurrency_limit(LinkId link, std::uint32_t flows, TimePoint now) {
  go_to(now);
  REHEARSE_ASSERT(links_.is_resource(link), "a link that is shared may have a limit");
  links_.set_limit(link, flows);
}

void SharedCostModel::set_link_capacity_function(LinkId link, CapacityFunction function,
                                                 TimePoint now) {
  go_to(now);
  REHEARSE_ASSERT(links_.is_resource(link), "a link that is shared may have a capacity function");
  activities_.fluid().set_capacity_function(links_.resource(link), std::move(function), now);
}

void SharedCostModel::set_link_on(LinkId link, bool is_on, TimePoint now) {
  go_to(now);
  switch_link(link, is_on, now);
}

bool SharedCostModel::is_link_on(LinkId link, TimePoint now) {
  go_to(now);
  return links_[link].is_on;
}

void SharedCostModel::switch_link(LinkId link, bool is_on, TimePoint now) {
  if (links_[link].is_on == is_on) return;
  links_[link].is_on = is_on;
  for (const std::uint32_t path : paths_.paths_of(link)) {
    path_maker_->refresh(paths_[path]);
    if (!is_on) fail_list(paths_[path].first_transfer, now);
  }
  if (!is_on) fail_tasks_without_path(now);
  tell([&](ResourceObserver& observer, ObserverNeeds) {
    observer.on_link_state(link, is_on, now);
  });
}

void SharedCostModel::set_host_on(HostId host, bool is_on, TimePoint now) {
  go_to(now);
  switch_host(host, is_on, now);
}

bool SharedCostModel::is_host_on(HostId host, TimePoint now) {
  go_to(now);
  return hosts_[host].is_on;
}

// What computes there, transfers from or to there, and uses a disk there, fails.
void SharedCostModel::switch_host(HostId host, bool is_on, TimePoint now) {
  if (hosts_[host].is_on == is_on) return;
  hosts_[host].is_on = is_on;
  if (!is_on) {
    fail_list(hosts_[host].first_computation, now);
    paths_.for_each_at(host, [&](std::uint32_t path) { fail_list(paths_[path].first_transfer, now); });
    if (!platform_.disks().empty())
      for (const DiskId disk : platform_.disks_of(host)) fail_list(disks_.first_access(disk), now);
    fail_tasks_on_host(host, now);
  }
  tell([&](ResourceObserver& observer, ObserverNeeds) {
    observer.on_host_state(host, is_on, now);
  });
}

void SharedCostModel::set_pstate(HostId host, std::uint32_t pstate, TimePoint now) {
  go_to(now);
  if (hosts_[host].pstate == pstate) return;
  hosts_.set_pstate(host, pstate, now);
  refresh_computations(host, now);
  refresh_tasks_on_host(host, now);
  const double speed = host_speed(host, now);
  tell([&](ResourceObserver& observer, ObserverNeeds needs) {
    observer.on_host_pstate(host, pstate, now);
    if (needs.speeds) observer.on_host_speed(host, speed, now);
  });
}

void SharedCostModel::refresh_computations(HostId host, TimePoint now) {
  for (std::uint32_t i = hosts_[host].first_computation; i != none; i = slots_[i].next)
    if (slots_[i].activity != none) {
      if (activities_.is_parallel())
        activities_.set_coefficients(slots_[i].activity, uses_of_computation(slots_[i], now), now);
      activities_.set_bound(slots_[i].activity, bound_of_computation(slots_[i], now), now);
    }
}

double SharedCostModel::host_speed(HostId host, TimePoint now) {
  go_to(now);
  return hosts_[host].speed * hosts_.factor(host, now);
}

void SharedCostModel::set_host_capacity_function(HostId host, CapacityFunction function,
                                                 TimePoint now) {
  go_to(now);
  hosts_.set_capacity_function(host, std::move(function), now);
  if (hosts_[host].has_clock) watch_speed(host, now);
}

void SharedCostModel::set_disk_bandwidths(DiskId disk, double read, double write, double total,
                                          TimePoint now) {
  go_to(now);
  disks_.set_bandwidths(disk, {read, write, total}, now);
}

void SharedCostModel::set_disk_capacity_function(DiskId disk, DiskPart part,
                                                 CapacityFunction function, TimePoint now) {
  go_to(now);
  disks_.set_capacity_function(disk, part, std::move(function), now);
}

}  // namespace rehearse::cost
