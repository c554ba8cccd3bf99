// SPDX-License-Identifier: MIT
//
// See observers.hpp.
#include "simcore/cost/observers.hpp"

namespace rehearse::cost {

void Observers::add(ResourceObserver& observer, ObserverNeeds needs) {
  observers_.push_back({&observer, needs});
  if (needs.loads) state_.resources.watch();
}

void Observers::report_changed_loads() {
  const std::span<const sharing::ResourceIndex> fresh = state_.fluid.changed();
  changed_.assign(fresh.begin(), fresh.end());
  for (const sharing::ResourceIndex resource : changed_) {
    const Owner owner = state_.resources.owner(resource);
    const double usage = state_.fluid.usage(resource);
    for (const Observation& observation : observers_) {
      if (!observation.needs.loads) continue;
      if (owner.kind == OwnerKind::link) {
        observation.observer->on_link_load({owner.id}, usage, state_.now);
      } else if (owner.kind == OwnerKind::host) {
        const double speed = state_.hosts[HostId{owner.id}].speed;
        observation.observer->on_host_load({owner.id}, speed > 0 ? usage / speed : 0, state_.now);
      }
    }
  }
}

}  // namespace rehearse::cost
