// SPDX-License-Identifier: MIT
//
// Disks: reads share the read bandwidth, writes the write bandwidth, and both together a total. Progress
// is exact at any moment.
//
// Shape:   a disk becomes three resources of the fluid at its first use.
// Threads: none.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "simcore/cost/resource_table.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/platform.hpp"

namespace rehearse::disk {

class DiskStates {
 public:
  static constexpr std::uint32_t none = ~0u;

  DiskStates(const Platform& platform, cost::Resources& resources);

  // Appends the capacity that an access at one byte per second uses, times the coefficient.
  void add_uses(DiskId disk, bool is_write, double coefficient, std::vector<sharing::Use>& uses);
  void set_bandwidths(DiskId disk, std::array<double, 3> bytes_per_second, TimePoint now);
  void set_capacity_function(DiskId disk, DiskPart part, CapacityFunction function, TimePoint now);

  std::uint32_t& first_access(DiskId disk) { return states_[disk.value].first_access; }

 private:
  struct State {
    std::array<double, 3> bytes_per_second{};  // by DiskPart
    std::array<sharing::ResourceIndex, 3> resources{none, none, none};
    std::uint32_t first_access = none;  // head of a list that the owner of the accesses keeps
  };
  State& used(DiskId disk);  // with its resources

  cost::Resources& resources_;
  std::vector<State> states_;
};

}  // namespace rehearse::disk
