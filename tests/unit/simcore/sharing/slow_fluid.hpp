// SPDX-License-Identifier: MIT
//
// The judge of Fluid: the same behaviour, step by step, with a full solution after every event.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "simcore/sharing/fluid.hpp"

namespace rehearse::sharing {

class SlowFluid {
 public:
  struct Activity {
    Phase phase = Phase::delayed;
    double delay = 0;  // left
    double amount = 0;
    double weight = 1;
    double bound = unbounded;
    std::vector<Use> uses;
    const WorkClock* clock = nullptr;
    std::uint64_t ticket = 0;
    double rate = 0;
  };
  struct Resource {
    double capacity = 0;
    std::uint32_t limit = ~0u;
    Fluid::CapacityFunction function;
  };

  std::vector<Resource> resources;
  std::map<ActivityIndex, Activity> activities;  // by the number that the test gives them

  void start(ActivityIndex id, const Activity& activity) {
    activities[id] = activity;
    activities[id].ticket = ~std::uint64_t{0};
    if (activity.delay <= 0) queue(id);
    solve();
  }
  void cancel(ActivityIndex id) {
    activities.erase(id);
    solve();
  }
  void suspend(ActivityIndex id) {
    Activity& activity = activities[id];
    if (activity.phase == Phase::suspended) return;
    if (activity.phase != Phase::delayed) activity.delay = 0;
    activity.phase = Phase::suspended;
    solve();
  }
  void resume(ActivityIndex id) {
    Activity& activity = activities[id];
    if (activity.phase != Phase::suspended) return;
    activity.phase = Phase::delayed;
    if (activity.delay <= 0) queue(id);
    solve();
  }
  // Admits who waits, then gives everybody the rate of the full solution.
  void solve();
  // Goes to a date; notes who ends before or then.
  void run(double date, std::map<ActivityIndex, double>& ends);
  double now() const { return now_; }
  std::uint32_t flows(ResourceIndex resource) const;

 private:
  void queue(ActivityIndex id) {
    activities[id].phase = Phase::waiting;
    activities[id].ticket = tickets_++;
  }
  bool may_flow(const Activity& activity) const;
  double next_date() const;
  void step(double date);
  static TimePoint point(double date) { return date < unbounded ? TimePoint{} + Duration::from_seconds(date) : never; }

  double now_ = 0;
  std::uint64_t tickets_ = 0;
};

inline std::uint32_t SlowFluid::flows(ResourceIndex resource) const {
  std::uint32_t count = 0;
  for (const auto& [id, activity] : activities)
    for (const Use& use : activity.uses)
      if (activity.phase == Phase::flowing && use.resource == resource && use.coefficient >= 1) ++count;
  return count;
}

inline bool SlowFluid::may_flow(const Activity& activity) const {
  for (const Use& use : activity.uses)
    if (use.coefficient >= 1 && flows(use.resource) >= resources[use.resource].limit) return false;
  return true;
}

inline void SlowFluid::solve() {
  std::map<std::uint64_t, Activity*> waiting;
  for (auto& [id, activity] : activities)
    if (activity.phase == Phase::waiting) waiting[activity.ticket] = &activity;
  for (auto& [ticket, activity] : waiting)
    if (may_flow(*activity)) activity->phase = Phase::flowing;
  ProgressiveFilling filling;
  for (ResourceIndex i = 0; i < resources.size(); ++i)
    filling.add_resource(resources[i].function ? resources[i].function(resources[i].capacity, flows(i))
                                               : resources[i].capacity);
  for (auto& [id, activity] : activities) {
    if (activity.phase != Phase::flowing) continue;
    filling.add_flow(activity.weight, activity.bound);
    for (const Use& use : activity.uses) filling.add_use(use.resource, use.coefficient);
  }
  filling.solve();
  std::uint32_t next = 0;
  for (auto& [id, activity] : activities) activity.rate = activity.phase == Phase::flowing ? filling.rate(next++) : 0;
}

inline double SlowFluid::next_date() const {
  double next = unbounded;
  for (const auto& [id, activity] : activities) {
    if (activity.phase == Phase::delayed) next = std::min(next, now_ + activity.delay);
    if (activity.phase != Phase::flowing || activity.rate == 0) continue;
    const double seconds = activity.amount / activity.rate;
    if (!activity.clock) {
      next = std::min(next, now_ + seconds);
      continue;
    }
    const TimePoint end = activity.clock->inverse(activity.clock->integral(point(now_)) + seconds);
    if (end != never) next = std::min(next, std::max(end.seconds(), now_));
  }
  return next;
}

inline void SlowFluid::step(double date) {
  for (auto& [id, activity] : activities) {
    if (activity.phase == Phase::delayed) activity.delay -= date - now_;
    if (activity.phase != Phase::flowing) continue;
    const double seconds =
        activity.clock ? activity.clock->integral(point(date)) - activity.clock->integral(point(now_)) : date - now_;
    activity.amount -= activity.rate * seconds;
  }
  now_ = date;
}

inline void SlowFluid::run(double date, std::map<ActivityIndex, double>& ends) {
  while (true) {
    const double next = point(next_date()).seconds();
    if (next > date || next == never.seconds()) break;
    step(next);
    std::vector<ActivityIndex> over;
    for (auto& [id, activity] : activities) {
      if (activity.phase == Phase::delayed && activity.delay <= 1e-11) queue(id);
      if (activity.phase == Phase::flowing && activity.amount <= activity.rate * (2e-12 + 1e-14 * now_))
        over.push_back(id);
    }
    for (const ActivityIndex id : over) {
      ends[id] = next;
      activities.erase(id);
    }
    solve();
  }
  if (date < unbounded) step(date);
}

}  // namespace rehearse::sharing
