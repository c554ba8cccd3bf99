// SPDX-License-Identifier: MIT
//
// Finds the watched resources whose usage or capacity differs from the last reported one.
//
// Units: as Fluid.
#pragma once

#include <span>
#include <vector>

#include "simcore/sharing/fair_sharing.hpp"
#include "simcore/sharing/fluid_state.hpp"

namespace rehearse::sharing {

class LoadWatch {
 public:
  explicit LoadWatch(FluidState& state) : state_(state) {}

  // The solver has visited these resources.
  void mark(std::span<const ResourceIndex> visited);
  // Valid until the next call of any function.
  std::span<const ResourceIndex> changed(const FairSharing& sharing);

 private:
  FluidState& state_;
  std::vector<ResourceIndex> marked_;
  std::vector<ResourceIndex> changed_;
};

}  // namespace rehearse::sharing
