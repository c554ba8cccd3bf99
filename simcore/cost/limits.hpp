// SPDX-License-Identifier: MIT
//
// The limit of the rate of an activity: a resource, or a bound.
//
// Units: capacities in bytes or flops per second.
#pragma once

#include "simcore/cost/cost_state.hpp"
#include "simcore/cost/slot_table.hpp"

namespace rehearse::cost {

class Limits {
 public:
  explicit Limits(CostState& state) : state_(state) {}

  Limit of(const Slot& slot, TimePoint now);

 private:
  Limit of_bound(const Slot& slot, TimePoint now);
  Limit of_resource(sharing::ResourceIndex resource, TimePoint now);
  LinkId full_link(const Slot& slot);

  CostState& state_;
};

}  // namespace rehearse::cost
