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

ResourceIndex Fluid::add_resource(double capacity, Division division) {
  resources_.emplace_back().capacity = capacity;
  return sharing_.add_resource(capacity, division);
}

void Fluid::go_to(TimePoint now) {
  REHEARSE_ASSERT(now >= now_, "time does not go back");
  if (now == now_) return;
  if (!is_settled_) settle();
  now_ = now;
}

void Fluid::set_capacity(ResourceIndex index, double capacity, TimePoint now) {
  go_to(now);
  Resource& resource = resources_[index];
  resource.capacity = capacity;
  sharing_.set_capacity(
      index, resource.function ? resource.function(capacity, resource.flows) : capacity);
  is_settled_ = false;
}

void Fluid::set_concurrency_limit(ResourceIndex index, std::uint32_t limit, double least) {
  REHEARSE_ASSERT(resources_[index].flows == 0, "a limit is set before the first use");
  resources_[index].limit = limit;
  resources_[index].least = least;
}

void Fluid::set_capacity_function(ResourceIndex index, CapacityFunction function, TimePoint now) {
  resources_[index].function = std::move(function);
  set_capacity(index, resources_[index].capacity, now);
}

double Fluid::usage(ResourceIndex resource) {
  if (!is_settled_) settle();
  return sharing_.usage(resource);
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
  activity.rate = 0;
  activity.order = started_++;
  activity.clock = work.clock;
  activity.phase = Phase::delayed;
  activity.delay = {};
  set_uses(activity, work.uses);
  ++active_;
  if (work.delay > Duration{} || work.amount <= 0)
    dates_.set(index, now + work.delay, activity.order);
  else
    enter(index);
  return index;
}

void Fluid::set_uses(Activity& activity, std::span<const Use> uses) {
  activity.uses.clear();
  for (const Use& use : uses) {
    const auto known = std::find_if(activity.uses.begin(), activity.uses.end(),
                                    [&](const Use& u) { return u.resource == use.resource; });
    if (known == activity.uses.end())
      activity.uses.push_back(use);
    else
      known->coefficient += use.coefficient;
  }
}

bool Fluid::may_flow(const Activity& activity) const {
  return std::none_of(activity.uses.begin(), activity.uses.end(), [&](const Use& use) {
    const Resource& resource = resources_[use.resource];
    return use.coefficient >= resource.least && resource.flows >= resource.limit;
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
  const std::uint64_t order = waited_++;
  for (const Use& use : activity.uses)
    if (resources_[use.resource].limit != ~0u && use.coefficient >= resources_[use.resource].least)
      resources_[use.resource].waiting.insert({order, index});
}

void Fluid::flow(ActivityIndex index) {
  Activity& activity = activities_[index];
  activity.phase = Phase::flowing;
  activity.updated = now_;
  activity.rate = 0;
  activity.flow = sharing_.add_flow(activity.weight, activity.bound, activity.uses);
  if (activity.flow >= activity_of_flow_.size()) activity_of_flow_.resize(activity.flow + 1);
  activity_of_flow_[activity.flow] = index;
  count(activity, 1);
  is_settled_ = false;
}

void Fluid::count(const Activity& activity, int change) {
  for (const Use& use : activity.uses) {
    Resource& resource = resources_[use.resource];
    if (use.coefficient < resource.least) continue;
    resource.flows += static_cast<std::uint32_t>(change);
    if (resource.function)
      sharing_.set_capacity(use.resource, resource.function(resource.capacity, resource.flows));
  }
}

// Stops flowing, waiting or being delayed, with what is left written down.
void Fluid::leave(ActivityIndex index) {
  Activity& activity = activities_[index];
  if (activity.phase == Phase::waiting) {
    stop_waiting(index);
  } else if (activity.phase == Phase::delayed) {
    activity.delay = dates_.date(index) - now_;
    dates_.remove(index);
  } else if (activity.phase == Phase::flowing) {
    activity.amount = progress(activity, now_);
    sharing_.remove_flow(activity.flow);
    dates_.remove(index);
    count(activity, -1);
    is_settled_ = false;
  }
  activity.rate = 0;
}

void Fluid::stop_waiting(ActivityIndex index) {
  for (const Use& use : activities_[index].uses)
    std::erase_if(resources_[use.resource].waiting,
                  [&](const auto& entry) { return entry.second == index; });
}

// Lets those in who waited for one of these resources.
void Fluid::admit(const std::vector<Use>& uses) {
  for (const Use& use : uses) {
    Resource& resource = resources_[use.resource];
    if (resource.waiting.empty()) continue;
    for (const auto& [order, index] : std::set(resource.waiting)) {
      if (resource.flows >= resource.limit) break;
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
  admit(activity.uses);
}

void Fluid::resume(ActivityIndex index, TimePoint now) {
  go_to(now);
  Activity& activity = activities_[index];
  if (activity.phase != Phase::suspended) return;
  if (activity.delay > Duration{} || activity.amount <= 0) {
    activity.phase = Phase::delayed;
    dates_.set(index, now + activity.delay, activity.order);
  } else {
    enter(index);
  }
}

template <typename Change>
void Fluid::change(ActivityIndex index, TimePoint now, const Change& change) {
  go_to(now);
  Activity& activity = activities_[index];
  const Phase before = activity.phase;
  if (before == Phase::suspended || before == Phase::delayed) {
    change(activity);
    return;
  }
  const std::vector<Use> uses = activity.uses;
  leave(index);
  change(activity);
  enter(index);
  admit(uses);
}

void Fluid::set_weight(ActivityIndex index, double weight, TimePoint now) {
  change(index, now, [&](Activity& activity) { activity.weight = weight; });
}

void Fluid::set_bound(ActivityIndex index, double bound, TimePoint now) {
  change(index, now, [&](Activity& activity) { activity.bound = bound; });
}

void Fluid::set_coefficients(ActivityIndex index, std::span<const Use> uses, TimePoint now) {
  change(index, now, [&](Activity& activity) { set_uses(activity, uses); });
}

// What is left at a date until which the rate does not change.
double Fluid::progress(const Activity& activity, TimePoint now) const {
  if (activity.phase != Phase::flowing || activity.rate == 0) return activity.amount;
  const WorkClock* clock = activity.clock == plain_time ? nullptr : clocks_[activity.clock];
  const double elapsed = clock ? clock->integral(now) - clock->integral(activity.updated)
                               : (now - activity.updated).seconds();
  return std::max(activity.amount - activity.rate * elapsed, 0.0);
}

TimePoint Fluid::end_of(const Activity& activity) const {
  if (activity.amount <= 0) return now_;
  const double seconds = activity.amount / activity.rate;
  const WorkClock* clock = activity.clock == plain_time ? nullptr : clocks_[activity.clock];
  if (clock && seconds < unbounded)
    return std::max(clock->inverse(clock->integral(now_) + seconds), now_);
  return seconds < horizon_seconds ? now_ + Duration::from_seconds(seconds) : never;
}

double Fluid::remaining(ActivityIndex index, TimePoint now) {
  go_to(now);
  if (!is_settled_) settle();
  return progress(activities_[index], now);
}

double Fluid::rate(ActivityIndex index) {
  if (!is_settled_) settle();
  return activities_[index].rate;
}

Fluid::Limit Fluid::limit(ActivityIndex index) {
  REHEARSE_ASSERT(activities_[index].phase == Phase::flowing, "the activity flows");
  if (!is_settled_) settle();
  const ResourceIndex limit = sharing_.limit(activities_[index].flow);
  return {limit == FairSharing::by_bound, limit};
}

std::uint32_t Fluid::add_clock(const WorkClock* clock) {
  clocks_.push_back(clock);
  return static_cast<std::uint32_t>(clocks_.size() - 1);
}

void Fluid::replace_clock(std::uint32_t index, const WorkClock* clock, TimePoint now) {
  go_to(now);
  if (!is_settled_) settle();
  for (Activity& activity : activities_) {
    if (activity.clock != index || activity.phase != Phase::flowing) continue;
    activity.amount = progress(activity, now);
    activity.updated = now;
  }
  clocks_[index] = clock;
  for (std::size_t i = 0; i < activities_.size(); ++i) {
    const Activity& activity = activities_[i];
    if (activity.clock == index && activity.phase == Phase::flowing)
      dates_.set(static_cast<ActivityIndex>(i), end_of(activity), activity.order);
  }
}

// New rates for those who share with what changed, and the dates that follow from them.
void Fluid::settle() {
  is_settled_ = true;
  for (const FlowIndex flow : sharing_.solve()) {
    const ActivityIndex index = activity_of_flow_[flow];
    Activity& activity = activities_[index];
    activity.amount = progress(activity, now_);
    activity.updated = now_;
    activity.rate = sharing_.rate(flow);
    dates_.set(index, end_of(activity), activity.order);
  }
  note_loads();
}

void Fluid::note_loads() {
  for (const ResourceIndex index : sharing_.solved_resources()) {
    Resource& resource = resources_[index];
    if (!resource.is_watched || resource.is_changed) continue;
    resource.is_changed = true;
    marked_.push_back(index);
  }
}

void Fluid::watch(ResourceIndex resource) { resources_[resource].is_watched = true; }

std::span<const ResourceIndex> Fluid::changed() {
  if (!is_settled_) settle();
  changed_.clear();
  for (const ResourceIndex index : marked_) {
    Resource& resource = resources_[index];
    resource.is_changed = false;
    const double usage = sharing_.usage(index);
    if (usage == resource.reported_usage && resource.capacity == resource.reported_capacity)
      continue;
    resource.reported_usage = usage;
    resource.reported_capacity = resource.capacity;
    changed_.push_back(index);
  }
  marked_.clear();
  return changed_;
}

TimePoint Fluid::next_date() {
  if (!is_settled_) settle();
  return dates_.empty() ? never : dates_.first_date();
}

void Fluid::advance(TimePoint now, std::vector<ActivityIndex>& ended) {
  REHEARSE_ASSERT(now <= next_date(), "no date is jumped over");
  go_to(now);
  while (!dates_.empty() && dates_.first_date() == now) {
    const ActivityIndex index = dates_.first();
    Activity& activity = activities_[index];
    if (activity.phase == Phase::delayed && activity.amount > 0) {
      dates_.remove_first();
      enter(index);
      continue;
    }
    leave(index);
    admit(activity.uses);
    release(index);
    ended.push_back(index);
  }
}

}  // namespace rehearse::sharing
