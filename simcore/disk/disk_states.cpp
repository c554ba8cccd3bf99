// SPDX-License-Identifier: MIT
//
// Models disks as resources of the fluid.
#include "simcore/disk/disk_states.hpp"

namespace rehearse::disk {

DiskStates::DiskStates(const Platform& platform, cost::Resources& resources) : resources_(resources) {
  for (const Disk& disk : platform.disks())
    states_.push_back({{disk.read_bytes_per_second, disk.write_bytes_per_second, disk.total_bytes_per_second}});
}

DiskStates::State& DiskStates::used(DiskId disk) {
  State& state = states_[disk.value];
  if (state.resources[0] != none) return state;
  for (std::size_t i = 0; i < 3; ++i) {
    state.resources[i] = resources_.add({cost::OwnerKind::disk, disk.value}, state.bytes_per_second[i]);
    // A stream counts, although its coefficient is a little less than 1.
    if (!resources_.activities().is_parallel()) resources_.fluid().set_concurrency_limit(state.resources[i], ~0u, 0);
  }
  return state;
}

void DiskStates::add_uses(DiskId disk, bool is_write, double coefficient, std::vector<sharing::Use>& uses) {
  State& state = used(disk);
  const DiskPart part = is_write ? DiskPart::write : DiskPart::read;
  uses.push_back({state.resources[static_cast<std::size_t>(part)], coefficient});
  uses.push_back({state.resources[static_cast<std::size_t>(DiskPart::total)], coefficient});
}

void DiskStates::set_bandwidths(DiskId disk, std::array<double, 3> bytes_per_second, TimePoint now) {
  State& state = states_[disk.value];
  state.bytes_per_second = bytes_per_second;
  if (state.resources[0] == none) return;
  for (std::size_t i = 0; i < 3; ++i)
    resources_.activities().set_capacity(state.resources[i], bytes_per_second[i], now);
}

void DiskStates::set_capacity_function(DiskId disk, DiskPart part, CapacityFunction function, TimePoint now) {
  State& state = used(disk);
  resources_.fluid().set_capacity_function(state.resources[static_cast<std::size_t>(part)], std::move(function), now);
}

}  // namespace rehearse::disk
