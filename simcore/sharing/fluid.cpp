// SPDX-License-Identifier: MIT
//
// The life of activities: delays, queues before limited resources, and FlowProgress for what flows.
#include "simcore/sharing/fluid.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

ResourceIndex Fluid::add_resource(double capacity, Division division) {
  resources_.emplace_back().capacity = capacity;
  return progress_.add_resource(capacity, division);
}

Fluid::Gate& Fluid::gate(ResourceIndex resource) {
  std::unique_ptr<Gate>& gate = resources_[resource].gate;
  if (!gate) gate = std::make_unique<Gate>();
  return *gate;
}

void Fluid::go_to(TimePoint now) {
  REHEARSE_ASSERT(now >= now_, "time does not go back");
  if (now == now_) return;
  settle();
  now_ = now;
}

// New rates for those who share with what changed, and the dates that follow from them.
void Fluid::settle() {
  if (progress_.is_settled()) return;
  progress_.settle(now_);
  for (const ResourceIndex index : progress_.sharing().visited()) {
    Gate* gate = resources_[index].gate.get();
    if (!gate || !gate->is_watched || gate->is_changed) continue;
    gate->is_changed = true;
    marked_.push_back(index);
  }
}

void Fluid::set_capacity(ResourceIndex index, double capacity, TimePoint now) {
  go_to(now);
  Resource& resource = resources_[index];
  resource.capacity = capacity;
  const bool is_function = resource.gate && resource.gate->function;
  progress_.set_capacity(
      index, is_function ? resource.gate->function(capacity, resource.flows) : capacity);
}

void Fluid::set_concurrency_limit(ResourceIndex index, std::uint32_t limit, double least) {
  REHEARSE_ASSERT(resources_[index].flows == 0, "a limit is set before the first use");
  gate(index).limit = limit;
  gate(index).least = least;
}

void Fluid::set_capacity_function(ResourceIndex index, CapacityFunction function, TimePoint now) {
  gate(index).function = std::move(function);
  set_capacity(index, resources_[index].capacity, now);
}

double Fluid::usage(ResourceIndex resource) {
  settle();
  return progress_.sharing().usage(resource);
}

ActivityIndex Fluid::start(const Work& work, TimePoint now) {
  go_to(now);
  if (free_.empty()) {
    free_.push_back(static_cast<ActivityIndex>(activities_.size()));
    activities_.emplace_back();
  }
  const ActivityIndex index = free_.back();
  free_.pop_back();
  Activity& activity = activities_[index];
  activity.amount = work.amount;
  activity.weight = work.weight;
  activity.bound = work.bound;
  activity.order = started_++;
  activity.clock = work.clock;
  activity.phase = Phase::delayed;
  set_uses(index, work.uses);
  ++active_;
  if (work.delay > Duration{} || work.amount <= 0)
    delays_.set(index, now + work.delay, activity.order);
  else
    enter(index);
  return index;
}

void Fluid::set_uses(ActivityIndex index, std::span<const Use> uses) {
  std::vector<Use>& known = activities_[index].uses;
  known.clear();
  for (const Use& use : uses) {
    const auto same = std::find_if(known.begin(), known.end(),
                                   [&](const Use& u) { return u.resource == use.resource; });
    if (same == known.end())
      known.push_back(use);
    else
      same->coefficient += use.coefficient;
  }
}

bool Fluid::may_flow(const Activity& activity) const {
  return std::none_of(activity.uses.begin(), activity.uses.end(), [this](const Use& use) {
    const Resource& resource = resources_[use.resource];
    return resource.is_full() && resource.counts(use.coefficient);
  });
}

// Its delay is over: flows, or waits where there are too many already.
void Fluid::enter(ActivityIndex index) {
  Activity& activity = activities_[index];
  if (may_flow(activity)) {
    flow(index);
    return;
  }
  activity.phase = Phase::waiting;
  activity.ticket = tickets_++;
  for (const Use& use : activity.uses) {
    Resource& resource = resources_[use.resource];
    if (resource.gate && resource.counts(use.coefficient))
      resource.gate->waiting.insert({activity.ticket, index});
  }
}

void Fluid::flow(ActivityIndex index) {
  activities_[index].phase = Phase::flowing;
  join(index);
  count(index, 1);
}

void Fluid::join(ActivityIndex index) {
  const Activity& activity = activities_[index];
  progress_.join(index, {activity.weight, activity.bound, activity.clock, activity.uses},
                 activity.amount, now_);
}

void Fluid::count(ActivityIndex index, int change) {
  for (const Use& use : activities_[index].uses) {
    Resource& resource = resources_[use.resource];
    if (!resource.counts(use.coefficient)) continue;
    resource.flows += static_cast<std::uint32_t>(change);
    if (resource.gate && resource.gate->function)
      progress_.set_capacity(use.resource,
                             resource.gate->function(resource.capacity, resource.flows));
  }
}

// Stops flowing, waiting or being delayed, with what is left written down.
void Fluid::leave(ActivityIndex index) {
  Activity& activity = activities_[index];
  switch (activity.phase) {
    case Phase::waiting: stop_waiting(index); break;
    case Phase::delayed:
      activity.delay = delays_.date(index) - now_;
      delays_.remove(index);
      break;
    case Phase::flowing:
      activity.amount = progress_.leave(index, now_);
      count(index, -1);
      break;
    case Phase::suspended: break;
  }
}

void Fluid::stop_waiting(ActivityIndex index) {
  for (const Use& use : activities_[index].uses)
    if (Gate* gate = resources_[use.resource].gate.get())
      gate->waiting.erase({activities_[index].ticket, index});
}

// Lets those in who waited for what somebody has left.
void Fluid::admit(const std::vector<Use>& left) {
  for (const Use& use : left) {
    const Resource& resource = resources_[use.resource];
    if (!resource.gate || resource.gate->waiting.empty()) continue;
    auto next = resource.gate->waiting.begin();
    while (next != resource.gate->waiting.end() && !resource.is_full()) {
      const ActivityIndex index = (next++)->second;
      if (!may_flow(activities_[index])) continue;
      stop_waiting(index);
      flow(index);
    }
  }
}

void Fluid::release(ActivityIndex index) {
  --active_;
  free_.push_back(index);
}

void Fluid::cancel(ActivityIndex index, TimePoint now) {
  go_to(now);
  leave(index);
  admit(activities_[index].uses);
  release(index);
}

void Fluid::suspend(ActivityIndex index, TimePoint now) {
  go_to(now);
  Activity& activity = activities_[index];
  if (activity.phase == Phase::suspended) return;
  activity.delay = {};
  leave(index);
  activity.phase = Phase::suspended;
  admit(activities_[index].uses);
}

void Fluid::resume(ActivityIndex index, TimePoint now) {
  go_to(now);
  Activity& activity = activities_[index];
  if (activity.phase != Phase::suspended) return;
  if (activity.delay > Duration{} || activity.amount <= 0) {
    activity.phase = Phase::delayed;
    delays_.set(index, now + activity.delay, activity.order);
  } else {
    enter(index);
  }
}

void Fluid::set_weight(ActivityIndex index, double weight, TimePoint now) {
  go_to(now);
  Activity& activity = activities_[index];
  const bool is_flowing = activity.phase == Phase::flowing;
  if (is_flowing) activity.amount = progress_.leave(index, now);
  activity.weight = weight;
  if (is_flowing) join(index);
}

void Fluid::set_bound(ActivityIndex index, double bound, TimePoint now) {
  go_to(now);
  Activity& activity = activities_[index];
  const bool is_flowing = activity.phase == Phase::flowing;
  if (is_flowing) activity.amount = progress_.leave(index, now);
  activity.bound = bound;
  if (is_flowing) join(index);
}

void Fluid::set_coefficients(ActivityIndex index, std::span<const Use> uses, TimePoint now) {
  go_to(now);
  Activity& activity = activities_[index];
  const bool is_open = activity.phase == Phase::flowing || activity.phase == Phase::waiting;
  if (is_open) leave(index);
  const std::vector<Use> left = activity.uses;
  set_uses(index, uses);
  if (!is_open) return;
  enter(index);
  admit(left);
}

double Fluid::remaining(ActivityIndex index, TimePoint now) {
  go_to(now);
  settle();
  const Activity& activity = activities_[index];
  return activity.phase == Phase::flowing ? progress_.remaining(index, now) : activity.amount;
}

double Fluid::rate(ActivityIndex index) {
  settle();
  return activities_[index].phase == Phase::flowing ? progress_.rate(index) : 0;
}

Fluid::Limit Fluid::limit(ActivityIndex index) {
  REHEARSE_ASSERT(activities_[index].phase == Phase::flowing, "the activity flows");
  settle();
  const ResourceIndex limit = progress_.limit(index);
  return {limit == FairSharing::by_bound, limit};
}

std::uint32_t Fluid::add_clock(const WorkClock* clock) { return progress_.add_clock(clock); }

void Fluid::replace_clock(std::uint32_t index, const WorkClock* clock, TimePoint now) {
  go_to(now);
  settle();
  progress_.replace_clock(index, clock, now);
}

void Fluid::watch(ResourceIndex resource) { gate(resource).is_watched = true; }

std::span<const ResourceIndex> Fluid::changed() {
  settle();
  changed_.clear();
  for (const ResourceIndex index : marked_) {
    Gate& gate = *resources_[index].gate;
    gate.is_changed = false;
    const double usage = progress_.sharing().usage(index);
    const double capacity = progress_.sharing().capacity(index);
    if (usage == gate.reported_usage && capacity == gate.reported_capacity) continue;
    gate.reported_usage = usage;
    gate.reported_capacity = capacity;
    changed_.push_back(index);
  }
  marked_.clear();
  return changed_;
}

TimePoint Fluid::next_date() {
  settle();
  const TimePoint flowing = progress_.first_date();
  return delays_.empty() ? flowing : std::min(delays_.first_date(), flowing);
}

void Fluid::advance(TimePoint now, std::vector<ActivityIndex>& ended) {
  REHEARSE_ASSERT(now >= now_ && now <= next_date(), "no date is jumped over");
  now_ = now;
  ended_.clear();
  entering_.clear();
  if (progress_.first_date() == now) progress_.end(now, ended_);
  for (const ActivityIndex index : ended_) count(index, -1);
  while (!delays_.empty() && delays_.first_date() == now) {
    const ActivityIndex index = delays_.first();
    delays_.remove(index);
    (activities_[index].amount > 0 ? entering_ : ended_).push_back(index);
  }
  std::sort(ended_.begin(), ended_.end(), [this](ActivityIndex a, ActivityIndex b) {
    return activities_[a].order < activities_[b].order;
  });
  for (const ActivityIndex index : ended_) admit(activities_[index].uses);
  for (const ActivityIndex index : entering_) enter(index);
  for (const ActivityIndex index : ended_) release(index);
  ended.insert(ended.end(), ended_.begin(), ended_.end());
}

}  // namespace rehearse::sharing
