// SPDX-License-Identifier: MIT
//
// See load_watch.hpp.
#include "simcore/sharing/load_watch.hpp"

namespace rehearse::sharing {

void LoadWatch::mark(std::span<const ResourceIndex> visited) {
  for (const ResourceIndex index : visited) {
    FluidGate* gate = state_.resources[index].gate.get();
    if (!gate || !gate->is_watched || gate->is_changed) continue;
    gate->is_changed = true;
    marked_.push_back(index);
  }
}

std::span<const ResourceIndex> LoadWatch::changed(const FairSharing& sharing) {
  changed_.clear();
  for (const ResourceIndex index : marked_) {
    FluidGate& gate = *state_.resources[index].gate;
    gate.is_changed = false;
    const double usage = sharing.usage(index);
    const double capacity = sharing.capacity(index);
    if (usage == gate.reported_usage && capacity == gate.reported_capacity) continue;
    gate.reported_usage = usage;
    gate.reported_capacity = capacity;
    changed_.push_back(index);
  }
  marked_.clear();
  return changed_;
}

}  // namespace rehearse::sharing
