// SPDX-License-Identifier: MIT
//
// See observers.hpp.
#include "simcore/cost/observers.hpp"

namespace rehearse::cost {

void Observers::add(ResourceObserver& observer, ObserverNeeds needs) {
  observers_.push_back({&observer, needs});
  if (needs.loads) state_.resources.watch();
}

void Observers::report_changed_loads(TimePoint until) {
  const std::span<const sharing::LoadChange> fresh = state_.fluid.changed(state_.now, until);
  changed_.assign(fresh.begin(), fresh.end());
  for (const auto& [resource, usage, from] : changed_) {
    const Owner owner = state_.resources.owner(resource);
    for (const Observation& observation : observers_) {
      if (!observation.needs.loads) continue;
      if (owner.kind == OwnerKind::link) {
        observation.observer->on_link_load({owner.id}, usage, from);
      } else if (owner.kind == OwnerKind::host) {
        const double speed = state_.hosts[HostId{owner.id}].speed;
        observation.observer->on_host_load({owner.id}, speed > 0 ? usage / speed : 0, from);
      }
    }
  }
}

}  // namespace rehearse::cost
