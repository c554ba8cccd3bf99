// SPDX-License-Identifier: MIT
//
// The energy of hosts and links, and their use: observers of a cost model that integrate loads exactly, because loads
// are constant between its events.
//
// Protocol: make it before the model's first start. Queries use the current date or a later one.
// Properties of a host: wattage_per_state="idle:max, ..." or "idle:epsilon:max, ..." in watts by speed
//           state, wattage_off="watts". Power: idle without load, otherwise epsilon + (max - epsilon) *
//           load. The load is the busy part of its cores (1 in a speed state of speed 0). With two numbers, epsilon is
//           idle. A host without the property consumes nothing.
// Properties of a link: wattage_range="idle:busy", wattage_off="watts" (0). Power: idle + (busy - idle)
//           * load / bandwidth. In a network of packets, busy while a packet crosses the link.
// Properties of a wifi link: wifi_watt_values="idle:tx:rx:sleep" (0.82:1.14:0.94:0.1), control_duration in
//           seconds per second (0.0036). While the medium is used, one station sends and the others receive;
//           otherwise all are idle.
// Source:   Heinrich, Cornebize, Degomme, Legrand et al., CLUSTER 2017 (hosts: idle, epsilon and full
//           power by speed state); Guegan, Amersho, Orgerie, Quinson, A large-scale wired network
//           energy model for flow-level simulations, AINA 2019 (links).
// Errors:   make: the property, the given value, the accepted values.
// Threads:  none.
#pragma once

#include <memory>
#include <vector>

#include "simcore/cost_model.hpp"

namespace rehearse {

class HostEnergy final : public ResourceObserver {
 public:
  // The platform and the model must outlive it.
  static Result<std::unique_ptr<HostEnergy>> make(const Platform& platform, CostModel& costs);

  double joules(HostId host, TimePoint now);
  double joules(TimePoint now);  // of all hosts
  // The part that the host would have consumed without load.
  double idle_joules(HostId host, TimePoint now);
  bool is_metered(HostId host) const { return !states_[host.value].ranges.empty(); }
  double watts(HostId host) const { return states_[host.value].meter.watts; }

  void on_host_state(HostId host, bool is_on, TimePoint now) override;
  void on_host_pstate(HostId host, std::uint32_t pstate, TimePoint now) override;
  void on_host_load(HostId host, double cores, TimePoint now) override;

 private:
  struct Range {
    double idle = 0;
    double epsilon = 0;
    double most = 0;
  };
  struct Meter {
    TimePoint since;
    double watts = 0;
    double idle_watts = 0;
    double joules = 0;  // up to the last update
    double idle_joules = 0;
  };
  struct State {
    Meter meter;
    std::vector<Range> ranges;  // by speed state; empty: consumes nothing
    double off = 0;
    double load = 0;
    std::uint32_t pstate = 0;
    bool is_on = true;
  };

  explicit HostEnergy(const Platform& platform) : platform_(platform) {}
  void update(HostId host, TimePoint now);

  const Platform& platform_;
  std::vector<State> states_;  // by host
};

class LinkEnergy final : public ResourceObserver {
 public:
  static Result<std::unique_ptr<LinkEnergy>> make(const Platform& platform, CostModel& costs);

  double joules(LinkId link, TimePoint now);
  double joules(TimePoint now);
  bool is_metered(LinkId link) const { return states_[link.value].is_metered; }

  void on_link_state(LinkId link, bool is_on, TimePoint now) override;
  void on_link_load(LinkId link, double bytes_per_second, TimePoint now) override;
  void on_link_packet(LinkId link, double bytes, TimePoint from, TimePoint until) override;

 private:
  struct State {
    bool is_metered = false;
    bool is_wifi = false;
    bool is_on = true;
    double idle = 0;  // watts; of a wifi link, of all stations
    double busy = 0;  // at full load; of a wifi link, while the medium is used
    double off = 0;
    double load = 0;
    TimePoint since;
    double watts = 0;
    double joules = 0;
  };

  explicit LinkEnergy(CostModel& costs) : costs_(costs) {}
  void update(LinkId link, TimePoint now);

  CostModel& costs_;
  std::vector<State> states_;
};

// The flops that each host has computed, and its average load.
class HostLoadMeter final : public ResourceObserver {
 public:
  HostLoadMeter(const Platform& platform, CostModel& costs);

  double flops(HostId host, TimePoint now);
  double average_load(HostId host, TimePoint now);  // 0 to 1, since reset or the start
  double load(HostId host) const;                   // current
  void reset(HostId host, TimePoint now);

  void on_host_speed(HostId host, double flops_per_second, TimePoint now) override;
  void on_host_load(HostId host, double cores, TimePoint now) override;

 private:
  struct State {
    TimePoint since;
    double speed = 0;
    double cores_busy = 0;
    double flops = 0;
    double possible = 0;
  };
  void update(HostId host, TimePoint now);

  const Platform& platform_;
  std::vector<State> states_;
};

// The bytes over each link, including cross-traffic, and the smallest and largest rate.
class LinkLoadMeter final : public ResourceObserver {
 public:
  LinkLoadMeter(const Platform& platform, CostModel& costs);

  double bytes(LinkId link, TimePoint now);
  double least_rate(LinkId link) const { return states_[link.value].least; }
  double greatest_rate(LinkId link) const { return states_[link.value].greatest; }
  double average_rate(LinkId link, TimePoint now);
  void reset(LinkId link, TimePoint now);

  void on_link_load(LinkId link, double bytes_per_second, TimePoint now) override;

 private:
  struct State {
    TimePoint begin;
    TimePoint since;
    double rate = 0;
    double bytes = 0;
    double least = 0;
    double greatest = 0;
  };
  void update(State& state, TimePoint now);

  std::vector<State> states_;
};

}  // namespace rehearse
