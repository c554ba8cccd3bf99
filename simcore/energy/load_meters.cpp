// SPDX-License-Identifier: MIT
//
// The load of hosts and links over time.
#include <algorithm>

#include "simcore/energy.hpp"

namespace rehearse {

HostLoadMeter::HostLoadMeter(const Platform& platform, CostModel& costs)
    : platform_(platform), states_(platform.hosts().size()) {
  for (std::uint32_t i = 0; i < states_.size(); ++i) states_[i].speed = costs.host_speed(HostId{i}, {});
  costs.observe(*this, {.speeds = true, .loads = true});
}

void HostLoadMeter::update(HostId host, TimePoint now) {
  State& state = states_[host.value];
  const double seconds = (now - state.since).seconds();
  state.flops += state.cores_busy * state.speed * seconds;
  state.possible += platform_.host(host).cores * state.speed * seconds;
  state.since = now;
}

double HostLoadMeter::flops(HostId host, TimePoint now) {
  update(host, now);
  return states_[host.value].flops;
}

double HostLoadMeter::average_load(HostId host, TimePoint now) {
  update(host, now);
  const State& state = states_[host.value];
  return state.possible > 0 ? state.flops / state.possible : 0;
}

double HostLoadMeter::load(HostId host) const { return states_[host.value].cores_busy / platform_.host(host).cores; }

void HostLoadMeter::reset(HostId host, TimePoint now) {
  update(host, now);
  states_[host.value].flops = states_[host.value].possible = 0;
}

void HostLoadMeter::on_host_speed(HostId host, double flops_per_second, TimePoint now) {
  update(host, now);
  states_[host.value].speed = flops_per_second;
}

void HostLoadMeter::on_host_load(HostId host, double cores, TimePoint now) {
  update(host, now);
  states_[host.value].cores_busy = cores;
}

LinkLoadMeter::LinkLoadMeter(const Platform& platform, CostModel& costs) : states_(platform.links().size()) {
  costs.observe(*this, {.speeds = false, .loads = true});
}

void LinkLoadMeter::update(State& state, TimePoint now) {
  // A rate that lasted for no time does not count.
  if (now > state.since) {
    state.least = state.since == state.begin ? state.rate : std::min(state.least, state.rate);
    state.greatest = std::max(state.greatest, state.rate);
  }
  state.bytes += state.rate * (now - state.since).seconds();
  state.since = now;
}

double LinkLoadMeter::bytes(LinkId link, TimePoint now) {
  update(states_[link.value], now);
  return states_[link.value].bytes;
}

double LinkLoadMeter::average_rate(LinkId link, TimePoint now) {
  update(states_[link.value], now);
  const double seconds = (now - states_[link.value].begin).seconds();
  return seconds > 0 ? states_[link.value].bytes / seconds : 0;
}

void LinkLoadMeter::reset(LinkId link, TimePoint now) {
  State& state = states_[link.value];
  update(state, now);
  state = {now, now, state.rate, 0, 0, 0};
}

void LinkLoadMeter::on_link_load(LinkId link, double bytes_per_second, TimePoint now) {
  update(states_[link.value], now);
  states_[link.value].rate = bytes_per_second;
}

}  // namespace rehearse
