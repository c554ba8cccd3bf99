// SPDX-License-Identifier: MIT
//
// The dates of activities whose order comes from outside: the cost model says when an activity can end at the earliest.
// If the order lets it end after a later one, it has waited.
//
// Threads: none.
#pragma once

#include <vector>

#include "simcore/cost_model.hpp"
#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

class PacedCosts {
 public:
  explicit PacedCosts(CostModel& costs) : costs_(costs) {}

  bool start(ActivityRecord& activity, TimePoint now);  // false: there is no route
  void stop(ActivityRecord& activity, TimePoint now);
  void suspend(ActivityRecord& activity, TimePoint now);
  void resume(ActivityRecord& activity, TimePoint now);

  // Lets time pass until the activity can end, which may be now; returns the new date. If it never can, no time passes.
  TimePoint pass_until_end(ActivityRecord& activity, TimePoint now);
  // Lets time pass to this date, if it is later; returns the new date.
  TimePoint pass_until(TimePoint date, TimePoint now);

 private:
  void advance(TimePoint date);

  CostModel& costs_;
  std::vector<ActivityRecord*> by_cost_;  // by number in the cost model; null: it can end
  std::vector<Ended> ended_;
};

}  // namespace rehearse::sim::kernel
