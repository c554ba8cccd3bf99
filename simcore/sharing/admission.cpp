// SPDX-License-Identifier: MIT
//
// See admission.hpp.
#include "simcore/sharing/admission.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

FluidGate& Admission::gate(ResourceIndex index) {
  FluidResource& resource = state_.resources[index];
  REHEARSE_ASSERT(resource.sole_user == nobody, "who has the resource for itself has left the fast path");
  has_gates_ = true;
  if (!resource.gate) resource.gate = std::make_unique<FluidGate>();
  return *resource.gate;
}

bool Admission::no_gate_is_full(const FluidActivity& activity) const {
  return std::none_of(activity.uses.begin(), activity.uses.end(), [this](const Use& use) {
    const FluidResource& resource = state_.resources[use.resource];
    return resource.is_full() && resource.counts(use.coefficient);
  });
}

void Admission::wait(ActivityIndex index) {
  FluidActivity& activity = state_.activities[index];
  activity.phase = Phase::waiting;
  activity.ticket = tickets_++;
  for (const Use& use : activity.uses) {
    FluidResource& resource = state_.resources[use.resource];
    if (resource.gate && resource.counts(use.coefficient)) resource.gate->waiting.insert({activity.ticket, index});
  }
}

void Admission::stop_waiting(ActivityIndex index) {
  const FluidActivity& activity = state_.activities[index];
  for (const Use& use : activity.uses)
    if (FluidGate* gate = state_.resources[use.resource].gate.get()) gate->waiting.erase({activity.ticket, index});
}

std::optional<ActivityIndex> Admission::next(const std::vector<Use>& released, std::uint64_t& ticket) const {
  constexpr std::uint64_t no_ticket = ~std::uint64_t{0};
  for (; has_gates_; ++ticket) {
    std::pair<std::uint64_t, ActivityIndex> next{no_ticket, 0};
    for (const Use& use : released) {
      const FluidResource& resource = state_.resources[use.resource];
      if (!resource.gate || resource.is_full()) continue;
      const auto first = resource.gate->waiting.lower_bound({ticket, 0});
      if (first != resource.gate->waiting.end()) next = std::min(next, *first);
    }
    ticket = next.first;
    if (ticket == no_ticket) break;
    if (!may_flow(state_.activities[next.second])) continue;
    ++ticket;
    return next.second;
  }
  return std::nullopt;
}

}  // namespace rehearse::sharing
