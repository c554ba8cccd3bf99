// SPDX-License-Identifier: MIT
//
// Models hosts as resources of the fluid.
#include "simcore/compute/host_states.hpp"

#include "simcore/support/assert.hpp"

namespace rehearse::compute {

HostStates::HostStates(const Platform& platform, cost::Resources& resources, std::uint64_t seed)
    : platform_(platform), resources_(resources) {
  states_.resize(platform.hosts().size());
  for (std::uint32_t i = 0; i < states_.size(); ++i) {
    const HostId host{i};
    states_[i].pstate = platform.initial_pstate(host);
    states_[i].speed = platform.host(host).flops_per_second;
    const Profile* profile = platform.speed_profile(host);
    if (!profile) continue;
    states_[i].has_clock = true;
    auto clock = make_speed_clock(*profile, seed + i);
    const bool is_used = !resources.activities().is_parallel();
    const std::uint32_t index = is_used ? resources.fluid().add_clock(clock.get()) : sharing::plain_time;
    clocks_.emplace(i, Clock{std::move(clock), index});
  }
}

sharing::ResourceIndex HostStates::resource(HostId host) {
  HostState& state = states_[host.value];
  if (state.resource == HostState::none)
    state.resource = resources_.add({cost::OwnerKind::host, host.value}, state.speed * cores(host));
  return state.resource;
}

void HostStates::set_pstate(HostId host, std::uint32_t pstate, TimePoint now) {
  REHEARSE_ASSERT(pstate < platform_.speeds(host).size(), "the host has this speed state");
  HostState& state = states_[host.value];
  state.pstate = pstate;
  state.speed = platform_.speeds(host)[pstate];
  if (state.resource != HostState::none)
    resources_.activities().set_capacity(state.resource, state.speed * cores(host), now);
}

void HostStates::set_capacity_function(HostId host, sharing::Fluid::CapacityFunction function, TimePoint now) {
  states_[host.value].has_function = true;
  functions_[host.value] = std::move(function);
  ask_capacity_function(host, now);
}

void HostStates::ask_capacity_function(HostId host, TimePoint now) {
  const auto& function = functions_.at(host.value);
  const double factor = this->factor(host, now);
  resources_.fluid().set_capacity_function(
      resource(host),
      [&function, factor](double capacity, std::uint32_t flows) {
        return factor > 0 ? function(capacity * factor, flows) / factor : capacity;
      },
      now);
}

std::uint32_t HostStates::clock_index(HostId host) const {
  return states_[host.value].has_clock ? clocks_.at(host.value).index : sharing::plain_time;
}

const SpeedClock* HostStates::clock(HostId host) const {
  return states_[host.value].has_clock ? clocks_.at(host.value).clock.get() : nullptr;
}

double HostStates::factor(HostId host, TimePoint now) const {
  const SpeedClock* clock = this->clock(host);
  return clock ? clock->factor(now) : 1;
}

void HostStates::forget(HostId host, TimePoint before) {
  if (states_[host.value].has_clock) clocks_.at(host.value).clock->forget(before);
}

}  // namespace rehearse::compute
