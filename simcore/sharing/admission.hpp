// SPDX-License-Identifier: MIT
//
// Limits on the number of activities that flow at a resource: admission, waiting, and admission after an end.
//
// Order: first come, first served; one that cannot flow yet does not hold up those behind it that can.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simcore/sharing/fluid_state.hpp"

namespace rehearse::sharing {

class Admission {
 public:
  explicit Admission(FluidState& state) : state_(state) {}

  // Makes one if there is none. Requires: the resource has no sole user.
  FluidGate& gate(ResourceIndex resource);
  bool has_gates() const { return has_gates_; }

  bool may_flow(const FluidActivity& activity) const { return !has_gates_ || no_gate_is_full(activity); }
  // It waits at all its resources that count it.
  void wait(ActivityIndex index);
  void stop_waiting(ActivityIndex index);

  // The first that may flow of those that wait at one of these resources with `ticket` or a later one. Moves `ticket`
  // behind its own.
  std::optional<ActivityIndex> next(const std::vector<Use>& released, std::uint64_t& ticket) const;

 private:
  bool no_gate_is_full(const FluidActivity& activity) const;

  FluidState& state_;
  std::uint64_t tickets_ = 0;
  bool has_gates_ = false;
};

}  // namespace rehearse::sharing
