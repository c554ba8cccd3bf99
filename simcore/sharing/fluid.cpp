// SPDX-License-Identifier: MIT
//
// Activities that take time: dates in a heap, rates from FairSharing, work brought up to date only
// when its rate changes.
#include "simcore/sharing/fluid.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

namespace {

// Half the range of simulated time: what is further away never happens.
constexpr double horizon_seconds = 4.6e6;

}  // namespace

std::uint32_t Fluid::start(const Work& work, TimePoint now) {
  REHEARSE_ASSERT(now >= now_, "time does not go back");
  now_ = now;
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(activities_.size()));
    activities_.emplace_back();
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  activities_[index] = {work, work.amount, now, 0, started_++, 0, false};
  ++active_;
  if (work.delay > Duration{} || work.amount <= 0)
    dates_.set(index, now + work.delay, activities_[index].order);
  else
    open(index, now);
  return index;
}

void Fluid::open(std::uint32_t index, TimePoint now) {
  Activity& activity = activities_[index];
  activity.updated = now;
  activity.is_flowing = true;
  activity.flow =
      sharing_.add_flow(activity.work.weight, activity.work.bound, activity.work.uses);
  if (activity.flow >= activity_of_flow_.size()) activity_of_flow_.resize(activity.flow + 1);
  activity_of_flow_[activity.flow] = index;
  is_settled_ = false;
}

// New rates for those who share with what changed, and the dates that follow from them.
void Fluid::settle() {
  is_settled_ = true;
  for (const FlowIndex flow : sharing_.solve()) {
    Activity& activity = activities_[activity_of_flow_[flow]];
    const double elapsed = (now_ - activity.updated).seconds();
    const double rate = sharing_.rate(flow);
    activity.remaining = std::max(activity.remaining - activity.rate * elapsed, 0.0);
    activity.updated = now_;
    activity.rate = rate;
    const double seconds = activity.remaining / rate;
    const TimePoint end =
        seconds < horizon_seconds ? now_ + Duration::from_seconds(seconds) : never;
    dates_.set(activity_of_flow_[flow], end, activity.order);
  }
}

TimePoint Fluid::next_date() {
  if (!is_settled_) settle();
  return dates_.empty() ? never : dates_.first_date();
}

void Fluid::advance(TimePoint now, std::vector<std::uint32_t>& ended) {
  REHEARSE_ASSERT(now >= now_ && now <= next_date(), "no date is jumped over");
  now_ = now;
  while (!dates_.empty() && dates_.first_date() == now) {
    const std::uint32_t index = dates_.first();
    dates_.remove_first();
    Activity& activity = activities_[index];
    if (!activity.is_flowing && activity.work.amount > 0) {
      open(index, now);
      continue;
    }
    if (activity.is_flowing) {
      sharing_.remove_flow(activity.flow);
      is_settled_ = false;
    }
    --active_;
    free_.push_back(index);
    ended.push_back(index);
  }
}

}  // namespace rehearse::sharing
