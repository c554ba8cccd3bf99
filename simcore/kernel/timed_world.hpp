// SPDX-License-Identifier: MIT
//
// A world in simulated time: actors run in the order in which they become ready, and a CostModel gives the durations of
// activities.
//
// Order:   see simcore/actor_api.hpp.
// Threads: none.
#pragma once

#include <memory>
#include <vector>

#include "simcore/kernel/world.hpp"

namespace rehearse::sim::kernel {

class TimedWorld final : public World {
 public:
  explicit TimedWorld(std::unique_ptr<CostModel> costs) : costs_(std::move(costs)) {}

  void attach(Kernel& kernel) override { kernel_ = &kernel; }
  CostModel& costs() override { return *costs_; }
  TimePoint now() const override { return now_; }
  bool step(TimePoint until) override;
  TimePoint next_date() override;
  bool runs_in_order() const override { return true; }
  void before(const Footprint&) override {}
  void strays() override {}
  void link_went_off(LinkId) override {}

  bool start(ActivityRecord& activity) override;
  void stop(ActivityRecord& activity) override;
  void suspend(ActivityRecord& activity) override;
  void resume(ActivityRecord& activity) override;
  void set_rate(ActivityRecord& activity) override;
  void set_priority(ActivityRecord& activity) override;
  void set_host(ActivityRecord& activity) override;
  double remaining(ActivityRecord& activity) override;
  double rate(ActivityRecord& activity) override;
  void set_timer(Timer& timer, TimePoint date) override { timers_.set(timer, date); }
  void cancel_timer(Timer& timer) override { timers_.remove(timer); }

 private:
  TimePoint next_event(TimePoint until);
  bool advance_to(TimePoint date);

  Kernel* kernel_ = nullptr;
  std::unique_ptr<CostModel> costs_;
  TimePoint now_;
  TimerHeap timers_;
  std::vector<ActivityRecord*> by_cost_;  // by number in the cost model
  std::vector<Ended> ended_;
  std::vector<Reference<ActivityRecord>> completed_;
  std::vector<bool> failed_;
};

}  // namespace rehearse::sim::kernel
