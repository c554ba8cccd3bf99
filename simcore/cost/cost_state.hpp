// SPDX-License-Identifier: MIT
//
// The common state of the parts of the cost model: the fluid, and the current state of each resource.
//
// Units:     bytes, flops, seconds; dates in picoseconds.
// Ownership: the SharedCostModel owns it; all its parts refer to it.
#pragma once

#include <memory>

#include "simcore/compute/host_states.hpp"
#include "simcore/cost/resource_table.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/disk/disk_states.hpp"
#include "simcore/network/link_states.hpp"
#include "simcore/network/network_parameters.hpp"
#include "simcore/network/path.hpp"

namespace rehearse::cost {

// Stands for the speed factor 0, because a coefficient must be finite.
inline constexpr double standstill = 1e-12;

struct CostState {
  CostState(const Platform& platform, network::NetworkParameters parameters, const ModelOptions& options);
  CostState(const CostState&) = delete;
  CostState& operator=(const CostState&) = delete;

  const Platform& platform;
  network::NetworkParameters parameters;
  EitherFluid fluid;
  Resources resources{fluid};
  network::LinkStates links;
  compute::HostStates hosts;
  disk::DiskStates disks;
  std::unique_ptr<network::PathMaker> path_maker;
  network::PathTable paths;
  TimePoint now;
};

}  // namespace rehearse::cost
