// SPDX-License-Identifier: MIT
//
// The effects of a changed bandwidth, latency or station rate on the activities that cross the link.
//
// Units: bytes per second, seconds.
#pragma once

#include <cstdint>

#include "simcore/cost/cost_state.hpp"
#include "simcore/cost/observers.hpp"
#include "simcore/cost/profile_events.hpp"
#include "simcore/cost/slot_table.hpp"
#include "simcore/cost/tasks.hpp"
#include "simcore/cost/transfers.hpp"

namespace rehearse::cost {

class LinkChanges {
 public:
  LinkChanges(CostState& state, SlotTable& slots, ProfileEvents& events, Transfers& transfers, Tasks& tasks,
              Observers& observers)
      : state_(state), slots_(slots), events_(events), transfers_(transfers), tasks_(tasks), observers_(observers) {}

  void change(LinkId link, double bytes_per_second, double latency, TimePoint now);
  void set_wifi_rate(LinkId link, HostId station, std::uint32_t level, TimePoint now);
  // Sets the link to the values of its profiles at the current date.
  void catch_up(LinkId link, TimePoint now) {
    if (const auto values = events_.values(link, now)) change(link, values->bandwidth, values->latency, now);
  }
  void catch_up_path(std::uint32_t path, TimePoint now);

 private:
  CostState& state_;
  SlotTable& slots_;
  ProfileEvents& events_;
  Transfers& transfers_;
  Tasks& tasks_;
  Observers& observers_;
};

}  // namespace rehearse::cost
