// SPDX-License-Identifier: MIT
//
// The present state of each host, and the resource of the fluid for its cores.
//
// Model:   the cores are one resource of cores * speed; a computation of n threads has at most n times
//          the speed of a core. A speed profile is a clock by which the work advances, so the resource
//          and all rates refer to the full speed.
// Shape:   a host is a resource from its first computation on; few hosts have a clock.
// Source:  Casanova, Legrand, Quinson et al., SimGrid: versatile, scalable and accurate simulation of
//          distributed applications, JPDC 2014 (cores as one fluid resource, trace integration).
// Threads: none.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simcore/compute/speed_clock.hpp"
#include "simcore/cost/resource_table.hpp"
#include "simcore/platform.hpp"

namespace rehearse::compute {

struct HostState {
  static constexpr std::uint32_t none = ~0u;
  double speed = 0;  // full speed of a core in this speed state
  sharing::ResourceIndex resource = none;
  std::uint32_t first_computation = none;  // head of a list that the owner of the computations keeps
  std::uint32_t pstate = 0;
  std::uint32_t bounded = 0;  // computations that each change of speed must update
  bool is_on = true;
  bool has_function = false;  // it has a capacity function
  bool has_clock = false;
};

class HostStates {
 public:
  HostStates(const Platform& platform, cost::Resources& resources, std::uint64_t seed);

  HostState& operator[](HostId host) { return states_[host.value]; }
  const HostState& operator[](HostId host) const { return states_[host.value]; }
  std::uint32_t cores(HostId host) const { return platform_.host(host).cores; }

  sharing::ResourceIndex resource(HostId host);
  void set_pstate(HostId host, std::uint32_t pstate, TimePoint now);
  // The function is called with the current capacity, including the profile's factor.
  void set_capacity_function(HostId host, sharing::Fluid::CapacityFunction function, TimePoint now);
  // To be called after a change of the profile's factor.
  void ask_capacity_function(HostId host, TimePoint now);

  // plain_time if the host has no profile, or if its work is updated at each change of speed.
  std::uint32_t clock_index(HostId host) const;
  const SpeedClock* clock(HostId host) const;
  double factor(HostId host, TimePoint now) const;
  void forget(HostId host, TimePoint before);  // no computation uses the clock

 private:
  struct Clock {
    std::unique_ptr<SpeedClock> clock;
    std::uint32_t index = 0;
  };

  const Platform& platform_;
  cost::Resources& resources_;
  std::vector<HostState> states_;
  std::unordered_map<std::uint32_t, Clock> clocks_;
  std::unordered_map<std::uint32_t, sharing::Fluid::CapacityFunction> functions_;
};

}  // namespace rehearse::compute
