// SPDX-License-Identifier: MIT
//
// The energy of links.
#include <algorithm>

#include "simcore/energy.hpp"
#include "simcore/energy/wattage.hpp"

namespace rehearse {

namespace {

Error wrong(const Platform& platform, LinkId link, const std::string& property, const std::string& text,
            const std::string& accepted) {
  return Error{"platform '" + platform.name() + "': link '" + platform.link(link).name + "', property " + property +
               ": '" + text + "' given; accepted: " + accepted};
}

// A list of exactly `count` numbers.
std::optional<std::vector<double>> numbers(const std::string& text, std::size_t count) {
  auto lists = energy::parse_watts(text);
  if (!lists || lists->size() != 1 || lists->front().size() != count) return std::nullopt;
  return lists->front();
}

std::size_t stations_of(const Platform& platform, LinkId link) {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < platform.hosts().size(); ++i) count += platform.wifi_link(HostId{i}) == link;
  return count;
}

}  // namespace

Result<std::unique_ptr<LinkEnergy>> LinkEnergy::make(const Platform& platform, CostModel& costs) {
  std::unique_ptr<LinkEnergy> energy(new LinkEnergy(costs));
  energy->states_.resize(platform.links().size());
  for (std::uint32_t i = 0; i < platform.links().size(); ++i) {
    const LinkId link{i};
    State& state = energy->states_[i];
    state.is_on = costs.is_link_on(link, {});
    state.is_wifi = platform.link(link).sharing == LinkSharing::wifi;
    const Properties* properties = platform.properties(link);
    if (const std::string* text = energy::find(properties, "wattage_off")) {
      const auto watts = numbers(*text, 1);
      if (!watts) return wrong(platform, link, "wattage_off", *text, "watts");
      state.off = watts->front();
    }
    if (state.is_wifi) {
      std::vector<double> watts{0.82, 1.14, 0.94, 0.10};
      double control = 0.0036;
      if (const std::string* text = energy::find(properties, "wifi_watt_values")) {
        const auto given = numbers(*text, 4);
        if (!given) return wrong(platform, link, "wifi_watt_values", *text, "idle:tx:rx:sleep");
        watts = *given;
      }
      if (const std::string* text = energy::find(properties, "control_duration")) {
        const auto given = numbers(*text, 1);
        if (!given) return wrong(platform, link, "control_duration", *text, "seconds per second");
        control = given->front();
      }
      const auto others = static_cast<double>(stations_of(platform, link));  // stations other than the sender
      const double beacons = control * others * watts[2];
      state.is_metered = true;
      state.idle = watts[0] * (others + 1) + beacons;
      state.busy = others * watts[2] + watts[1] + beacons;
    } else if (const std::string* text = energy::find(properties, "wattage_range")) {
      const auto watts = numbers(*text, 2);
      if (!watts) return wrong(platform, link, "wattage_range", *text, "idle:busy");
      state.is_metered = true;
      state.idle = watts->front();
      state.busy = watts->back();
    }
    energy->update(link, {});
  }
  costs.observe(*energy, {.speeds = false, .loads = true});
  return energy;
}

void LinkEnergy::update(LinkId link, TimePoint now) {
  State& state = states_[link.value];
  if (!state.is_metered) return;
  state.joules += state.watts * (now - state.since).seconds();
  state.since = now;
  // The load of a wifi link is the part of the time that its medium is used.
  const double part = state.load <= 0 ? 0 : state.is_wifi ? state.load : state.load / costs_.bandwidth(link, now);
  state.watts = state.is_on ? state.idle + (state.busy - state.idle) * part : state.off;
}

double LinkEnergy::joules(LinkId link, TimePoint now) {
  State& state = states_[link.value];
  return state.joules + state.watts * (now - state.since).seconds();
}

double LinkEnergy::joules(TimePoint now) {
  double sum = 0;
  for (std::uint32_t i = 0; i < states_.size(); ++i) sum += joules(LinkId{i}, now);
  return sum;
}

void LinkEnergy::on_link_state(LinkId link, bool is_on, TimePoint now) {
  states_[link.value].is_on = is_on;
  update(link, now);
}

void LinkEnergy::on_link_load(LinkId link, double bytes_per_second, TimePoint now) {
  states_[link.value].load = bytes_per_second;
  update(link, now);
}

void LinkEnergy::on_link_packet(LinkId link, double, TimePoint from, TimePoint until) {
  State& state = states_[link.value];
  if (state.is_metered) state.joules += (state.busy - state.idle) * (until - from).seconds();
}

}  // namespace rehearse
