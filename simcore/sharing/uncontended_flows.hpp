// SPDX-License-Identifier: MIT
//
// The fast path for uncontended work: an activity that shares no resource has the rate of its resources, and its end is
// known without solving.
//
// Uncontended: the activity flows, and no other activity uses any of its resources.
// Precomputed: the activity is delayed, and will be uncontended if no other one comes. Its date is the date of its end:
//              the end of its delay is not an event. `since` is the date at which it begins to flow.
// Invariant:   resources of such activities have no gate, and name the activity as their sole user.
// Units:       as Fluid.
#pragma once

#include <cstdint>
#include <span>

#include "simcore/sharing/date_heap.hpp"
#include "simcore/sharing/fluid_state.hpp"

namespace rehearse::sharing {

// What is known of work, for a caller that starts the same work many times and keeps this object with it: its duration
// while it is uncontended, and its shape. Amount, bound and uses of that work must not change.
class KnownWork {
  friend class UncontendedFlows;
  friend class BatchedFlows;
  std::uint64_t capacities = 0;  // UncontendedFlows::capacities_ at that time; 0: nothing is known
  Duration duration;
  double rate = 0;
  ResourceIndex limit = 0;
  std::uint32_t shape = 0;   // FlowShapes::number(), if `shapes` is the current table
  std::uint32_t shapes = 0;  // 0: not known
};

class UncontendedFlows {
 public:
  UncontendedFlows(FluidState& state, DateHeap& dates) : state_(state), dates_(dates) {}

  void note_capacity_change() { ++capacities_; }

  // Makes the activity flow uncontended from now on. False: it cannot.
  bool flow(ActivityIndex index);
  // The same from `begin` on. `known`: null, or the result of an earlier call for equal work.
  bool precompute(ActivityIndex index, TimePoint begin, KnownWork* known);

  // Call it before a question about an activity: a precomputed one that has begun becomes uncontended. No date changes.
  void note_begin(ActivityIndex index) {
    const FluidActivity& activity = state_.activities[index];
    if (activity.is_precomputed && state_.now >= activity.since) begin(index);
  }
  // Call it before a change of the activity: if its delay is not over, the end of the delay becomes an event again.
  void return_to_delay(ActivityIndex index);

  // The remaining work of an uncontended activity.
  double remaining(const FluidActivity& activity, TimePoint date) const;
  // The activity gives up its resources and its clock.
  void give_up(ActivityIndex index);

 private:
  bool has_all(const FluidActivity& activity) const;
  bool takes_all(ActivityIndex index);
  void set_rate(FluidActivity& activity) const;
  TimePoint end_of(const FluidActivity& activity) const;
  void begin(ActivityIndex index);
  void set_sole_user(const FluidActivity& activity, ActivityIndex user) {
    FluidResource* const resources = state_.resources.data();
    for (const Use& use : std::span<const Use>(activity.uses)) resources[use.resource].sole_user = user;
  }

  FluidState& state_;
  DateHeap& dates_;
  std::uint64_t capacities_ = 1;  // number of changes of a capacity, plus 1
};

}  // namespace rehearse::sharing
