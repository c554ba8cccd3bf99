// SPDX-License-Identifier: MIT
//
// The fast path for uncontended work: an activity that shares no resource has the rate of its resources, and its end is
// known without solving.
//
// Uncontended: it flows, and nobody else uses any of its resources.
// Precomputed: it is delayed, and will be uncontended if nobody comes. Its date is that of its end: the end of its
//              delay is no event. `since` is when it begins to flow.
// Invariant:   resources of these have no gate, and name the activity as their sole user.
// Units:       as Fluid.
#pragma once

#include <cstdint>

#include "simcore/sharing/fluid_state.hpp"
#include "simcore/sharing/indexed_heap.hpp"

namespace rehearse::sharing {

// How long work takes that has all that it uses for itself: for a caller that starts the same work again and again and
// keeps this with it. Amount, bound and uses of that work must not change.
class UncontendedTime {
  friend class UncontendedFlows;
  std::uint64_t capacities = 0;  // the number of changes of them; 0: nothing is known
  Duration duration;
  double rate = 0;
  ResourceIndex limit = 0;
};

class UncontendedFlows {
 public:
  UncontendedFlows(FluidState& state, DateHeap& dates) : state_(state), dates_(dates) {}

  void note_capacity_change() { ++capacities_; }

  // The activity flows uncontended from now on. False: it cannot.
  bool flow(ActivityIndex index);
  // The same from `begin` on. `known`: null, or what an earlier call said of such work.
  bool precompute(ActivityIndex index, TimePoint begin, UncontendedTime* known);

  // Whoever asks about an activity calls this: one that was precomputed and has begun is uncontended. No date changes.
  void note_begin(ActivityIndex index) {
    const FluidActivity& activity = state_.activities[index];
    if (activity.is_precomputed && state_.now >= activity.since) begin(index);
  }
  // Before anything of the activity changes: if its delay is not over, the end of that is an event again.
  void return_to_delay(ActivityIndex index);

  // What remains of an uncontended activity.
  double remaining(const FluidActivity& activity) const;
  // It has its resources and its clock no longer.
  void give_up(ActivityIndex index);

 private:
  bool has_all(const FluidActivity& activity) const;
  bool takes_all(ActivityIndex index);
  void set_rate(FluidActivity& activity) const;
  TimePoint end_of(const FluidActivity& activity) const;
  void begin(ActivityIndex index);
  void set_sole_user(const FluidActivity& activity, ActivityIndex user) {
    for (const Use& use : activity.uses) state_.resources[use.resource].sole_user = user;
  }

  FluidState& state_;
  DateHeap& dates_;
  std::uint64_t capacities_ = 1;  // how often one was set
};

}  // namespace rehearse::sharing
