// SPDX-License-Identifier: MIT
//
// The observers of changes of resources and of loads.
//
// Units: loads of links in bytes per second, of hosts as a fraction of the total speed of the host's cores.
#pragma once

#include <vector>

#include "simcore/cost/cost_state.hpp"

namespace rehearse::cost {

class Observers {
 public:
  explicit Observers(CostState& state) : state_(state) {}

  void add(ResourceObserver& observer, ObserverNeeds needs);

  template <class Call>
  void notify(const Call& call) const {
    for (const Observation& observation : observers_) call(*observation.observer, observation.needs);
  }
  // Call it before the date changes to `until`: reports the loads of the current date, and those of later ones before
  // it.
  void report_loads(TimePoint until) {
    if (state_.resources.is_watched()) report_changed_loads(until);
  }

 private:
  struct Observation {
    ResourceObserver* observer = nullptr;
    ObserverNeeds needs;
  };

  void report_changed_loads(TimePoint until);

  CostState& state_;
  std::vector<Observation> observers_;
  std::vector<sharing::LoadChange> changed_;
};

}  // namespace rehearse::cost
