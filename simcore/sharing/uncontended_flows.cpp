// SPDX-License-Identifier: MIT
//
// See uncontended_flows.hpp.
#include "simcore/sharing/uncontended_flows.hpp"

#include <algorithm>

namespace rehearse::sharing {

// Whether no other activity uses its resources.
bool UncontendedFlows::has_all(const FluidActivity& activity) const {
  for (const Use& use : activity.uses) {
    const FluidResource& resource = state_.resources[use.resource];
    if (resource.sharers > 0 || resource.batched > 0 || resource.sole_user != nobody || resource.gate) return false;
  }
  return true;
}

// The rate is that of the tightest resource, or the bound.
void UncontendedFlows::set_rate(FluidActivity& activity) const {
  activity.rate = activity.bound;
  activity.limit = FairSharing::by_bound;
  for (const Use& use : activity.uses) {
    const FluidResource& resource = state_.resources[use.resource];
    const double rate = use.coefficient == 1 ? resource.capacity : resource.capacity / use.coefficient;
    if (rate >= activity.rate) continue;
    activity.rate = rate;
    activity.limit = use.resource;
  }
}

bool UncontendedFlows::takes_all(ActivityIndex index) {
  FluidActivity& activity = state_.activities[index];
  if (!has_all(activity)) return false;
  set_rate(activity);
  if (!(activity.rate > 0 && activity.rate < unbounded)) return false;
  set_sole_user(activity, index);
  return true;
}

bool UncontendedFlows::flow(ActivityIndex index) {
  FluidActivity& activity = state_.activities[index];
  FluidClock* clock = activity.clock == plain_time ? nullptr : &state_.clocks[activity.clock];
  if ((clock && clock->sole_user != nobody) || !takes_all(index)) return false;
  if (clock) {
    clock->sole_user = index;
    activity.reading = clock->clock->integral(state_.now);
  }
  activity.is_uncontended = true;
  activity.since = state_.now;
  dates_.set(index, end_of(activity), activity.order);
  return true;
}

bool UncontendedFlows::precompute(ActivityIndex index, TimePoint begin, KnownWork* known) {
  FluidActivity& activity = state_.activities[index];
  if (activity.clock != plain_time || !has_all(activity)) return false;
  activity.since = begin;
  if (known != nullptr && known->capacities == capacities_) {
    activity.rate = known->rate;
    activity.limit = known->limit;
    dates_.set(index, begin + known->duration, activity.order);
  } else {
    set_rate(activity);
    if (!(activity.rate > 0 && activity.rate < unbounded)) return false;
    const TimePoint end = end_of(activity);
    if (end == never) return false;
    if (known != nullptr) {
      known->capacities = capacities_;
      known->duration = end - begin;
      known->rate = activity.rate;
      known->limit = activity.limit;
    }
    dates_.set(index, end, activity.order);
  }
  activity.is_precomputed = true;
  set_sole_user(activity, index);
  return true;
}

// Its resources have no gate, so only these counts change.
void UncontendedFlows::begin(ActivityIndex index) {
  FluidActivity& activity = state_.activities[index];
  activity.is_precomputed = false;
  activity.phase = Phase::flowing;
  activity.is_uncontended = true;
  for (const Use& use : activity.uses) {
    FluidResource& resource = state_.resources[use.resource];
    if (resource.counts(use.coefficient)) ++resource.flows;
  }
}

void UncontendedFlows::return_to_delay(ActivityIndex index) {
  note_begin(index);
  FluidActivity& activity = state_.activities[index];
  if (!activity.is_precomputed) return;
  activity.is_precomputed = false;
  set_sole_user(activity, nobody);
  dates_.set(index, activity.since, activity.order);
}

double UncontendedFlows::remaining(const FluidActivity& activity, TimePoint date) const {
  const double passed = activity.clock == plain_time
                            ? (date - activity.since).seconds()
                            : state_.clocks[activity.clock].clock->integral(date) - activity.reading;
  return std::max(activity.amount - activity.rate * passed, 0.0);
}

TimePoint UncontendedFlows::end_of(const FluidActivity& activity) const {
  const double seconds = activity.amount / activity.rate;
  if (activity.clock == plain_time || seconds <= 0) return date_after(activity.since, seconds);
  const TimePoint date = state_.clocks[activity.clock].clock->inverse(activity.reading + seconds);
  return std::max(date, activity.since);
}

void UncontendedFlows::give_up(ActivityIndex index) {
  FluidActivity& activity = state_.activities[index];
  set_sole_user(activity, nobody);
  activity.is_precomputed = false;
  if (activity.is_uncontended && activity.clock != plain_time) state_.clocks[activity.clock].sole_user = nobody;
  activity.is_uncontended = false;
}

}  // namespace rehearse::sharing
