// SPDX-License-Identifier: MIT
//
// What happens to resources by their profiles, and what observers are told of loads.
#include <algorithm>

#include "simcore/cost/shared_cost_model.hpp"
#include "simcore/network/fluid_paths.hpp"
#include "simcore/network/plain_paths.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::cost {

using compute::HostState;

namespace {

sharing::ParallelFluid::Rule rule_of(const network::NetworkParameters& parameters) {
  if (parameters.kind != network::NetworkKind::parallel) return nullptr;
  if (parameters.has_fair_bottleneck) return sharing::fair_bottleneck_rates;
  return sharing::bottleneck_max_fair_rates;
}

std::unique_ptr<network::PathMaker> make_path_maker(const Platform& platform,
                                                    network::LinkStates& links,
                                                    Resources& resources,
                                                    const network::NetworkParameters& parameters) {
  switch (parameters.kind) {
    case network::NetworkKind::constant:
      return std::make_unique<network::ConstantPaths>(parameters.delay_seconds);
    case network::NetworkKind::last_mile:
      return std::make_unique<network::LastMilePaths>(platform, resources);
    case network::NetworkKind::loggps:
      return std::make_unique<network::LogGpsPaths>(platform, links, parameters.loggps);
    default: return std::make_unique<network::FluidPaths>(platform, links, parameters);
  }
}

}  // namespace

SharedCostModel::SharedCostModel(const Platform& platform, network::NetworkParameters parameters,
                                 const ModelOptions& options)
    : platform_(platform),
      parameters_(std::move(parameters)),
      compute_factor_(options.compute_factor),
      disk_factor_(options.disk_factor),
      activities_(rule_of(parameters_)),
      links_(platform, resources_, parameters_.has_quirks),
      hosts_(platform, resources_, options.seed),
      disks_(platform, resources_),
      path_maker_(make_path_maker(platform, links_, resources_, parameters_)),
      paths_(*path_maker_, platform.hosts().size()),
      messages_(parameters_.loggps, platform.hosts().size()) {
  if (const auto loopback = platform.find_link("__loopback__")) {
    network::LinkState& state = links_[*loopback];
    state.bytes_per_second = parameters_.loopback_bandwidth.value_or(state.bytes_per_second);
    state.latency_seconds = parameters_.loopback_latency.value_or(state.latency_seconds);
  }
  add_profiles(options.seed);
}

// Each has its own seed, so that one more changes nothing for the others.
void SharedCostModel::add_profiles(std::uint64_t seed) {
  constexpr std::uint64_t apart = std::uint64_t{1} << 32;
  for (std::uint32_t i = 0; i < platform_.hosts().size(); ++i) {
    const Profile* profile = platform_.state_profile(HostId{i});
    if (!profile) continue;
    ProfileWalk& walk = host_states_.try_emplace(HostId{i}, *profile, 1, seed + apart + i).first->second;
    hosts_[HostId{i}].is_on = walk.value(now_) > 0;
    schedule(add_event(EventKind::host_state, i), walk.next_date(now_));
  }
  for (std::uint32_t i = 0; i < platform_.links().size(); ++i) {
    const LinkId link{i};
    const Profile* bandwidth = platform_.bandwidth_profile(link);
    const Profile* latency = platform_.latency_profile(link);
    const Profile* state = platform_.state_profile(link);
    if (!bandwidth && !latency && !state) continue;
    LinkProfiles& profiles = link_profiles_[link];
    paths_.index_link(link);
    profiles.last_bandwidth = links_[link].bytes_per_second;
    profiles.last_latency = links_[link].latency_seconds;
    if (bandwidth) profiles.bandwidth.emplace(*bandwidth, profiles.last_bandwidth, seed + 2 * apart + i);
    if (latency) profiles.latency.emplace(*latency, profiles.last_latency, seed + 3 * apart + i);
    if (bandwidth || latency) profiles.event = add_event(EventKind::link_values, i);
    if (!state) continue;
    profiles.state.emplace(*state, 1, seed + 4 * apart + i);
    links_[link].is_on = profiles.state->value(now_) > 0;
    schedule(add_event(EventKind::link_state, i), profiles.state->next_date(now_));
  }
}

std::uint32_t SharedCostModel::add_event(EventKind kind, std::uint32_t subject) {
  events_.push_back({kind, subject, never});
  return static_cast<std::uint32_t>(events_.size() - 1);
}

void SharedCostModel::schedule(std::uint32_t event, TimePoint date) {
  events_[event].date = date;
  if (date == never) return;
  event_dates_.push_back({date, event});
  std::push_heap(event_dates_.begin(), event_dates_.end());
}

void SharedCostModel::drop_void_dates() {
  while (!event_dates_.empty() &&
         events_[event_dates_.front().event].date != event_dates_.front().date) {
    std::pop_heap(event_dates_.begin(), event_dates_.end());
    event_dates_.pop_back();
  }
}

void SharedCostModel::happen(std::uint32_t id, TimePoint now) {
  const Event event = events_[id];
  const HostId host{event.subject};
  const LinkId link{event.subject};
  switch (event.kind) {
    case EventKind::host_state: {
      ProfileWalk& walk = host_states_.at(host);
      switch_host(host, walk.value(now) > 0, now);
      return schedule(id, walk.next_date(now));
    }
    case EventKind::link_state: {
      ProfileWalk& walk = *link_profiles_.at(link).state;
      switch_link(link, walk.value(now) > 0, now);
      return schedule(id, walk.next_date(now));
    }
    case EventKind::link_values:
      catch_up(link, now);
      return schedule_link(link_profiles_.at(link), now);
    case EventKind::host_speed: {
      if (!needs_speed_events(host)) return;
      if (hosts_[host].has_function) hosts_.ask_capacity_function(host, now);
      if (hosts_[host].bounded > 0) {
        refresh_computations(host, now);
        refresh_tasks_on_host(host, now);
      }
      const double speed = host_speed(host, now);
      for (const Observation& observation : observers_)
        if (observation.needs.speeds) observation.observer->on_host_speed(host, speed, now);
      return schedule(id, hosts_.clock(host)->next_change(now));
    }
  }
}

// What the profiles of a link say for the present date. What was set by hand lasts until they change.
void SharedCostModel::catch_up(LinkId link, TimePoint now) {
  const auto found = link_profiles_.find(link);
  if (found == link_profiles_.end()) return;
  LinkProfiles& profiles = found->second;
  double bandwidth = links_[link].bytes_per_second;
  double latency = links_[link].latency_seconds;
  const auto look = [&](std::optional<ProfileWalk>& walk, double& last, double& value) {
    if (!walk) return;
    const double said = walk->value(now);
    if (said != last) last = value = said;
  };
  look(profiles.bandwidth, profiles.last_bandwidth, bandwidth);
  look(profiles.latency, profiles.last_latency, latency);
  change_link(link, bandwidth, latency, now);
}

void SharedCostModel::catch_up_path(std::uint32_t path, TimePoint now) {
  for (const std::vector<LinkId>* links : {&paths_[path].links, &paths_[path].reverse})
    for (const LinkId link : *links) catch_up(link, now);
}

// A path has its first transfer, or has lost its last.
void SharedCostModel::use_profiles(const network::Path& path, bool is_used, TimePoint now) {
  for (const std::vector<LinkId>* links : {&path.links, &path.reverse})
    for (const LinkId link : *links) {
      const auto found = link_profiles_.find(link);
      if (found == link_profiles_.end() || found->second.event == none) continue;
      found->second.users += is_used ? 1 : -1;
      if (is_used && found->second.users == 1) schedule_link(found->second, now);
    }
}

void SharedCostModel::schedule_link(LinkProfiles& profiles, TimePoint now) {
  if (profiles.users == 0 && !needs_speeds_) return;
  TimePoint date = never;
  if (profiles.bandwidth) date = std::min(date, profiles.bandwidth->next_date(now));
  if (profiles.latency) date = std::min(date, profiles.latency->next_date(now));
  schedule(profiles.event, date);
}

bool SharedCostModel::needs_speed_events(HostId host) const {
  const HostState& state = hosts_[host];
  return needs_speeds_ || state.bounded > 0 ||
         (state.has_function && state.first_computation != none);
}

void SharedCostModel::watch_speed(HostId host, TimePoint now) {
  const auto [event, is_new] = speed_events_.try_emplace(host.value, none);
  if (is_new) event->second = add_event(EventKind::host_speed, host.value);
  if (hosts_[host].has_function) hosts_.ask_capacity_function(host, now);
  schedule(event->second, hosts_.clock(host)->next_change(now));
}

void SharedCostModel::observe(ResourceObserver& observer, ObserverNeeds needs) {
  REHEARSE_ASSERT(!needs.loads || active_ == 0, "loads are watched from the start");
  observers_.push_back({&observer, needs});
  if (needs.loads) resources_.watch();
  if (!needs.speeds || needs_speeds_) return;
  needs_speeds_ = true;
  for (std::uint32_t i = 0; i < platform_.hosts().size(); ++i)
    if (hosts_[HostId{i}].has_clock) watch_speed(HostId{i}, now_);
  for (auto& [link, profiles] : link_profiles_)
    if (profiles.event != none) schedule_link(profiles, now_);
}

void SharedCostModel::tell_loads() {
  if (!resources_.is_watched()) return;
  const std::span<const sharing::ResourceIndex> fresh = activities_.changed();
  changed_.assign(fresh.begin(), fresh.end());
  for (const sharing::ResourceIndex resource : changed_) {
    const Owner owner = resources_.owner(resource);
    const double usage = activities_.usage(resource);
    for (const Observation& observation : observers_) {
      if (!observation.needs.loads) continue;
      if (owner.kind == OwnerKind::link) {
        observation.observer->on_link_load({owner.id}, usage, now_);
      } else if (owner.kind == OwnerKind::host) {
        const double speed = hosts_[HostId{owner.id}].speed;
        observation.observer->on_host_load({owner.id}, speed > 0 ? usage / speed : 0, now_);
      }
    }
  }
}

void SharedCostModel::go_to(TimePoint now) {
  REHEARSE_ASSERT(now >= now_, "time does not go back");
  if (now == now_) return;
  tell_loads();
  now_ = now;
}

TimePoint SharedCostModel::next_date() {
  tell_loads();
  if (!failed_.empty()) return now_;
  drop_void_dates();
  const TimePoint date = activities_.next_date();
  return event_dates_.empty() ? date : std::min(date, event_dates_.front().date);
}

}  // namespace rehearse::cost
