// SPDX-License-Identifier: MIT
//
// The energy of hosts.
#include <algorithm>

#include "simcore/energy.hpp"
#include "simcore/energy/wattage.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

namespace {

Error wrong(const Platform& platform, HostId host, const std::string& property, const std::string& text,
            const std::string& accepted) {
  return Error{"platform '" + platform.name() + "': host '" + platform.host(host).name + "', property " + property +
               ": '" + text + "' given; accepted: " + accepted};
}

}  // namespace

Result<std::unique_ptr<HostEnergy>> HostEnergy::make(const Platform& platform, CostModel& costs) {
  std::unique_ptr<HostEnergy> energy(new HostEnergy(platform));
  energy->states_.resize(platform.hosts().size());
  for (std::uint32_t i = 0; i < platform.hosts().size(); ++i) {
    const HostId host{i};
    State& state = energy->states_[i];
    state.pstate = platform.initial_pstate(host);
    state.is_on = costs.is_host_on(host, {});
    const Properties* properties = platform.properties(host);
    if (const std::string* text = energy::find(properties, "wattage_off")) {
      const auto watts = energy::parse_watts(*text);
      if (!watts || watts->size() != 1 || watts->front().size() != 1)
        return wrong(platform, host, "wattage_off", *text, "watts");
      state.off = watts->front().front();
    }
    const std::string* text = energy::find(properties, "wattage_per_state");
    if (!text) continue;
    const auto lists = energy::parse_watts(*text);
    const std::size_t count = platform.speeds(host).size();
    if (!lists || lists->size() != count)
      return wrong(platform, host, "wattage_per_state", *text,
                   fmt::format("idle:max or idle:epsilon:max for each of its {} speed states, separated by commas",
                               count));
    for (const std::vector<double>& list : *lists) {
      if (list.size() < 2 || list.size() > 3)
        return wrong(platform, host, "wattage_per_state", *text, "idle:max or idle:epsilon:max");
      state.ranges.push_back({list.front(), list.size() == 3 ? list[1] : list.front(), list.back()});
    }
    energy->update(host, {});
  }
  costs.observe(*energy, {.speeds = false, .loads = true});
  return energy;
}

// Adds the energy consumed until now, and computes the power from now on.
void HostEnergy::update(HostId host, TimePoint now) {
  State& state = states_[host.value];
  Meter& meter = state.meter;
  const double seconds = (now - meter.since).seconds();
  meter.joules += meter.watts * seconds;
  meter.idle_joules += meter.idle_watts * seconds;
  meter.since = now;
  if (state.ranges.empty()) return;
  const Range& range = state.ranges[state.pstate];
  const double load = platform_.speeds(host)[state.pstate] > 0 ? state.load : 1;
  if (!state.is_on) meter.watts = state.off;
  else meter.watts = load > 0 ? range.epsilon + (range.most - range.epsilon) * load : range.idle;
  meter.idle_watts = state.is_on ? range.idle : state.off;
}

double HostEnergy::joules(HostId host, TimePoint now) {
  update(host, now);
  return states_[host.value].meter.joules;
}

double HostEnergy::idle_joules(HostId host, TimePoint now) {
  update(host, now);
  return states_[host.value].meter.idle_joules;
}

double HostEnergy::joules(TimePoint now) {
  double sum = 0;
  for (std::uint32_t i = 0; i < states_.size(); ++i) sum += joules(HostId{i}, now);
  return sum;
}

void HostEnergy::on_host_state(HostId host, bool is_on, TimePoint now) {
  states_[host.value].is_on = is_on;
  update(host, now);
}

void HostEnergy::on_host_pstate(HostId host, std::uint32_t pstate, TimePoint now) {
  states_[host.value].pstate = pstate;
  update(host, now);
}

void HostEnergy::on_host_load(HostId host, double cores, TimePoint now) {
  states_[host.value].load = std::clamp(cores / platform_.host(host).cores, 0.0, 1.0);
  update(host, now);
}

}  // namespace rehearse
