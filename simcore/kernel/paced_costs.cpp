// SPDX-License-Identifier: MIT
//
// See paced_costs.hpp.
#include "simcore/kernel/paced_costs.hpp"

#include <algorithm>

#include "simcore/kernel/activity_cost.hpp"
#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim::kernel {

bool PacedCosts::start(ActivityRecord& activity, TimePoint now) {
  if (activity.kind == ActivityKind::pause) return true;
  const auto id = start_cost(costs_, activity, now);
  if (!id) return false;
  if (id->value >= by_cost_.size()) by_cost_.resize(id->value + 1);
  by_cost_[id->value] = &activity;
  activity.cost = id->value;
  return true;
}

void PacedCosts::stop(ActivityRecord& activity, TimePoint now) {
  if (activity.cost == ActivityRecord::no_cost) return;
  costs_.cancel(ActivityId{activity.cost}, now);
  by_cost_[activity.cost] = nullptr;
  activity.cost = ActivityRecord::no_cost;
}

void PacedCosts::suspend(ActivityRecord& activity, TimePoint now) {
  if (activity.cost != ActivityRecord::no_cost) costs_.suspend(ActivityId{activity.cost}, now);
}

void PacedCosts::resume(ActivityRecord& activity, TimePoint now) {
  if (activity.cost != ActivityRecord::no_cost) costs_.resume(ActivityId{activity.cost}, now);
}

void PacedCosts::advance(TimePoint date) {
  ended_.clear();
  costs_.advance(date, ended_);
  for (const Ended& end : ended_) {
    ActivityRecord*& activity = by_cost_[end.activity.value];
    if (activity != nullptr) activity->cost = ActivityRecord::no_cost;
    activity = nullptr;
  }
}

TimePoint PacedCosts::pass_until(TimePoint date, TimePoint now) {
  while (now < date) {
    now = std::min(date, std::max(now, costs_.next_date()));
    advance(now);
  }
  return now;
}

TimePoint PacedCosts::pass_until_end(ActivityRecord& activity, TimePoint now) {
  if (activity.kind == ActivityKind::pause)
    return pass_until(activity.started + (date_from(activity.amount) - TimePoint{}), now);
  while (activity.cost != ActivityRecord::no_cost) {
    const TimePoint next = costs_.next_date();
    if (next == CostModel::never) break;
    now = std::max(now, next);
    advance(now);
  }
  stop(activity, now);
  return now;
}

}  // namespace rehearse::sim::kernel
