// SPDX-License-Identifier: MIT
//
// See profile_events.hpp.
#include "simcore/cost/profile_events.hpp"

#include <algorithm>
#include <utility>

namespace rehearse::cost {

// Each profile has its own seed, so that an additional profile does not change the others.
void ProfileEvents::add_profiles(std::uint64_t seed) {
  constexpr std::uint64_t apart = std::uint64_t{1} << 32;
  for (std::uint32_t i = 0; i < state_.platform.hosts().size(); ++i) {
    const Profile* profile = state_.platform.state_profile(HostId{i});
    if (!profile) continue;
    ProfileWalk& walk = host_states_.try_emplace(HostId{i}, *profile, 1, seed + apart + i).first->second;
    state_.hosts[HostId{i}].is_on = walk.value(state_.now) > 0;
    schedule(add_event(EventKind::host_state, i), walk.next_date(state_.now));
  }
  for (std::uint32_t i = 0; i < state_.platform.links().size(); ++i) {
    const LinkId link{i};
    const Profile* bandwidth = state_.platform.bandwidth_profile(link);
    const Profile* latency = state_.platform.latency_profile(link);
    const Profile* state = state_.platform.state_profile(link);
    if (!bandwidth && !latency && !state) continue;
    LinkProfiles& profiles = link_profiles_[link];
    state_.paths.index_link(link);
    profiles.last_bandwidth = state_.platform.link(link).bytes_per_second;
    profiles.last_latency = state_.platform.link(link).latency_seconds;
    if (bandwidth) profiles.bandwidth.emplace(*bandwidth, profiles.last_bandwidth, seed + 2 * apart + i);
    if (latency) profiles.latency.emplace(*latency, profiles.last_latency, seed + 3 * apart + i);
    if (bandwidth || latency) profiles.event = add_event(EventKind::link_values, i);
    if (!state) continue;
    profiles.state.emplace(*state, 1, seed + 4 * apart + i);
    state_.links[link].is_on = profiles.state->value(state_.now) > 0;
    schedule(add_event(EventKind::link_state, i), profiles.state->next_date(state_.now));
  }
}

std::uint32_t ProfileEvents::add_event(EventKind kind, std::uint32_t subject) {
  events_.push_back({kind, subject, CostModel::never});
  return static_cast<std::uint32_t>(events_.size() - 1);
}

void ProfileEvents::schedule(std::uint32_t event, TimePoint date) {
  events_[event].date = date;
  if (date == CostModel::never) return;
  event_dates_.push_back({date, event});
  std::push_heap(event_dates_.begin(), event_dates_.end());
}

void ProfileEvents::drop_void_dates() {
  while (!event_dates_.empty() && events_[event_dates_.front().event].date != event_dates_.front().date) {
    std::pop_heap(event_dates_.begin(), event_dates_.end());
    event_dates_.pop_back();
  }
}

TimePoint ProfileEvents::next_date() {
  drop_void_dates();
  return event_dates_.empty() ? CostModel::never : event_dates_.front().date;
}

std::uint32_t ProfileEvents::take_due(TimePoint now) {
  if (next_date() > now) return none;
  const std::uint32_t event = event_dates_.front().event;
  events_[event].date = CostModel::never;
  return event;
}

bool ProfileEvents::is_on(const Event& event, TimePoint now) {
  ProfileWalk& walk = event.kind == EventKind::host_state ? host_states_.at(HostId{event.subject})
                                                          : *link_profiles_.at(LinkId{event.subject}).state;
  return walk.value(now) > 0;
}

void ProfileEvents::schedule_next(std::uint32_t id, TimePoint now) {
  const Event event = events_[id];
  const LinkId link{event.subject};
  switch (event.kind) {
    case EventKind::host_state: return schedule(id, host_states_.at(HostId{event.subject}).next_date(now));
    case EventKind::link_state: return schedule(id, link_profiles_.at(link).state->next_date(now));
    case EventKind::link_values: return schedule_link(link_profiles_.at(link), now);
    case EventKind::host_speed: return schedule(id, state_.hosts.clock(HostId{event.subject})->next_change(now));
  }
}

std::optional<ProfileEvents::LinkValues> ProfileEvents::values(LinkId link, TimePoint now) {
  const auto found = link_profiles_.find(link);
  if (found == link_profiles_.end()) return std::nullopt;
  LinkProfiles& profiles = found->second;
  LinkValues values{state_.links[link].bytes_per_second, state_.links[link].latency_seconds};
  const auto has_new = [&](std::optional<ProfileWalk>& walk, double& last) {
    if (!walk) return false;
    const double before = std::exchange(last, walk->value(now));
    return before != last;
  };
  if (has_new(profiles.bandwidth, profiles.last_bandwidth))
    values.bandwidth = state_.links.changed_bandwidth(profiles.last_bandwidth);
  if (has_new(profiles.latency, profiles.last_latency))
    values.latency = state_.links.changed_latency(profiles.last_latency);
  return values;
}

void ProfileEvents::keep_path(std::uint32_t path, TimePoint now) {
  if (++state_.paths[path].transfers == 1 && state_.paths[path].has_profiles)
    use_profiles(state_.paths[path], true, now);
}

void ProfileEvents::leave_path(std::uint32_t path) {
  if (--state_.paths[path].transfers == 0 && state_.paths[path].has_profiles)
    use_profiles(state_.paths[path], false, state_.now);
}

// A path has its first transfer, or has lost its last.
void ProfileEvents::use_profiles(const network::Path& path, bool is_used, TimePoint now) {
  for (const std::vector<LinkId>* links : {&path.links, &path.reverse})
    for (const LinkId link : *links) {
      const auto found = link_profiles_.find(link);
      if (found == link_profiles_.end() || found->second.event == none) continue;
      found->second.users += is_used ? 1 : -1;
      if (is_used && found->second.users == 1) schedule_link(found->second, now);
    }
}

void ProfileEvents::schedule_link(LinkProfiles& profiles, TimePoint now) {
  if (profiles.users == 0 && !needs_speeds_) return;
  TimePoint date = CostModel::never;
  if (profiles.bandwidth) date = std::min(date, profiles.bandwidth->next_date(now));
  if (profiles.latency) date = std::min(date, profiles.latency->next_date(now));
  schedule(profiles.event, date);
}

void ProfileEvents::watch_all_speeds() {
  if (needs_speeds_) return;
  needs_speeds_ = true;
  for (std::uint32_t i = 0; i < state_.platform.hosts().size(); ++i)
    if (state_.hosts[HostId{i}].has_clock) watch_speed(HostId{i}, state_.now);
  for (auto& [link, profiles] : link_profiles_)
    if (profiles.event != none) schedule_link(profiles, state_.now);
}

bool ProfileEvents::needs_speed_events(HostId host) const {
  const compute::HostState& state = state_.hosts[host];
  return needs_speeds_ || state.bounded > 0 || (state.has_function && state.first_computation != none);
}

void ProfileEvents::watch_speed(HostId host, TimePoint now) {
  const auto [event, is_new] = speed_events_.try_emplace(host.value, none);
  if (is_new) event->second = add_event(EventKind::host_speed, host.value);
  if (state_.hosts[host].has_function) state_.hosts.ask_capacity_function(host, now);
  schedule(event->second, state_.hosts.clock(host)->next_change(now));
}

}  // namespace rehearse::cost
