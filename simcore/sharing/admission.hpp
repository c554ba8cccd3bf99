// SPDX-License-Identifier: MIT
//
// Limits on the number of activities that flow at a resource: admission, waiting, and admission after an end.
//
// Order: first come, first served. An activity that cannot flow yet does not hold up later ones that can.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simcore/sharing/fluid_state.hpp"

namespace rehearse::sharing {

class Admission {
 public:
  explicit Admission(FluidState& state) : state_(state) {}

  // Makes a gate if there is none. Requires: the resource has no sole user.
  FluidGate& gate(ResourceIndex resource);
  bool has_gates() const { return has_gates_; }

  bool may_flow(const FluidActivity& activity) const { return !has_gates_ || no_gate_is_full(activity); }
  // The activity waits at all of its resources that count it.
  void wait(ActivityIndex index);
  void stop_waiting(ActivityIndex index);

  // Of the activities that wait at one of these resources with `ticket` or a later one: the first that may flow. Moves
  // `ticket` behind the ticket of that one.
  std::optional<ActivityIndex> next(const std::vector<Use>& released, std::uint64_t& ticket) const;

 private:
  bool no_gate_is_full(const FluidActivity& activity) const;

  FluidState& state_;
  std::uint64_t tickets_ = 0;
  bool has_gates_ = false;
};

}  // namespace rehearse::sharing
