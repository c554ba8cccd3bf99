// SPDX-License-Identifier: MIT
//
// Time advances when no actor can run: to the next date of the cost model or of an alarm.
#include "simcore/kernel/timed_world.hpp"

#include <algorithm>
#include <stdexcept>

#include "simcore/kernel/activity_cost.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::sim::kernel {

TimePoint TimedWorld::next_date() { return kernel_->scheduler().has_ready() ? now_ : next_event(CostModel::never); }

TimePoint TimedWorld::next_event(TimePoint until) {
  TimePoint next = timers_.empty() ? CostModel::never : timers_.first_date();
  // The events of a profile do not keep the run going, unless an actor waits for them.
  if (!timers_.empty() || costs_->is_busy() || until != CostModel::never || kernel_->actors().awaits_hosts())
    next = std::min(next, costs_->next_end(std::min(next, until)));
  return next;
}

bool TimedWorld::step(TimePoint until) {
  if (kernel_->scheduler().has_ready()) {
    kernel_->scheduler().run_ready();
    return true;
  }
  const TimePoint next = next_event(until);
  if (const std::string* problem = costs_->problem()) throw std::runtime_error(*problem);
  if (next == CostModel::never && until == CostModel::never) return false;
  if (next > until) {
    advance_to(until);
    return false;
  }
  return advance_to(next);
}

bool TimedWorld::advance_to(TimePoint date) {
  REHEARSE_ASSERT(date >= now_, "time does not go back");
  const Duration passed = date - now_;
  now_ = date;
  if (passed.picoseconds > 0) kernel_->time_has_passed(passed.seconds());
  ended_.clear();
  costs_->advance(date, ended_);
  // First remove all of them from the cost model: the effects of one end may concern another ended activity.
  const std::size_t first = completed_.size();
  for (const Ended& end : ended_) {
    ActivityRecord* activity = by_cost_[end.activity.value];
    by_cost_[end.activity.value] = nullptr;
    activity->cost = ActivityRecord::no_cost;
    completed_.emplace_back(activity);
    failed_.push_back(end.failed);
  }
  kernel_->changes().handle();
  for (std::size_t i = first; i < completed_.size(); ++i) {
    if (completed_[i]->state != ActivityState::started) continue;
    const bool failed = failed_[i];
    kernel_->activities().finish(*completed_[i], failed ? ActivityState::failed : ActivityState::finished,
                                 failed ? Failure::resource : Failure::none);
  }
  completed_.clear();
  failed_.clear();
  while (!timers_.empty() && timers_.first_date() <= now_) {
    Timer& timer = timers_.first();
    timers_.remove(timer);
    kernel_->ring(timer);
  }
  return true;
}

bool TimedWorld::start(ActivityRecord& activity) {
  if (activity.kind == ActivityKind::pause) {
    timers_.set(activity, now_ + (date_from(activity.amount) - TimePoint{}));
    return true;
  }
  const std::optional<ActivityId> id = start_cost(*costs_, activity, now_);
  if (!id) return false;
  if (id->value >= by_cost_.size()) by_cost_.resize(id->value + 1);
  by_cost_[id->value] = &activity;
  activity.cost = id->value;
  return true;
}

void TimedWorld::stop(ActivityRecord& activity) {
  if (static_cast<Timer&>(activity).is_set()) timers_.remove(activity);
  if (activity.cost == ActivityRecord::no_cost) return;
  costs_->cancel(ActivityId{activity.cost}, now_);
  by_cost_[activity.cost] = nullptr;
  activity.cost = ActivityRecord::no_cost;
}

void TimedWorld::suspend(ActivityRecord& activity) {
  Timer& alarm = activity;
  if (alarm.is_set()) {
    activity.priority = remaining(activity);  // a member without another use in a pause
    timers_.remove(alarm);
  }
  if (activity.cost != ActivityRecord::no_cost) costs_->suspend(ActivityId{activity.cost}, now_);
}

void TimedWorld::resume(ActivityRecord& activity) {
  if (activity.kind == ActivityKind::pause) timers_.set(activity, now_ + Duration::from_seconds(activity.priority));
  if (activity.cost != ActivityRecord::no_cost) costs_->resume(ActivityId{activity.cost}, now_);
}

void TimedWorld::set_rate(ActivityRecord& activity) {
  if (activity.cost != ActivityRecord::no_cost) costs_->set_rate(ActivityId{activity.cost}, activity.limit, now_);
}

void TimedWorld::set_priority(ActivityRecord& activity) {
  if (activity.cost == ActivityRecord::no_cost) return;
  costs_->set_priority(ActivityId{activity.cost}, activity.priority, now_);
}

void TimedWorld::set_host(ActivityRecord& activity) {
  if (activity.cost != ActivityRecord::no_cost) costs_->set_host(ActivityId{activity.cost}, activity.host, now_);
}

double TimedWorld::remaining(ActivityRecord& activity) {
  if (activity.kind == ActivityKind::pause) {
    const Timer& alarm = activity;
    if (alarm.is_set()) return (timers_.date_at(alarm.place) - now_).seconds();
    return activity.priority;  // suspended: suspend() has stored it there
  }
  return activity.cost == ActivityRecord::no_cost ? 0 : costs_->remaining(ActivityId{activity.cost}, now_);
}

double TimedWorld::rate(ActivityRecord& activity) {
  if (activity.kind == ActivityKind::pause) return activity.suspended ? 0 : 1;
  return activity.cost == ActivityRecord::no_cost ? 0 : costs_->rate(ActivityId{activity.cost}, now_);
}

}  // namespace rehearse::sim::kernel
