// SPDX-License-Identifier: MIT
//
// The common state of the parts of the cost model: the fluid, and the present state of each resource.
//
// Units:     bytes, flops, seconds; dates in picoseconds.
// Ownership: the SharedCostModel; its parts refer to the same one.
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

// In place of a speed factor 0: what stands still. (A coefficient must be finite.)
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
