// SPDX-License-Identifier: MIT
//
// Computations as activities of the fluid, and the changes that follow from the speed of their host.
//
// Units: flops and flops per second at the host's full speed, if it has a clock (host_states.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/cost/cost_state.hpp"
#include "simcore/cost/profile_events.hpp"
#include "simcore/cost/slot_table.hpp"

namespace rehearse::cost {

class Computations {
 public:
  Computations(CostState& state, SlotTable& slots, ProfileEvents& events)
      : state_(state), slots_(slots), events_(events) {}

  void open(std::uint32_t index, double amount, TimePoint now);
  // A bound that the user sets is in true flops per second, so it changes with the speed.
  double bound_of(Slot& slot, TimePoint now);
  // The speed of the host has changed.
  void refresh(HostId host, TimePoint now);

 private:
  std::span<const sharing::Use> uses_of(const Slot& slot, TimePoint now);
  bool follows_speed(const Slot& slot) const;

  CostState& state_;
  SlotTable& slots_;
  ProfileEvents& events_;
  std::vector<sharing::Use> uses_;
};

}  // namespace rehearse::cost
