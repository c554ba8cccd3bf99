// SPDX-License-Identifier: MIT
//
// The life of activities: delays, queues before limited resources, and FlowProgress for what flows. Except that one
// that uses what nobody else uses is as fast as that is, without any solving, until somebody comes; and one that is
// delayed holds such resources in advance (a promise), so that the end of its delay is no event, until somebody comes.
#include "simcore/sharing/fluid.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

ResourceIndex Fluid::add_resource(double capacity, Division division) {
  resources_.emplace_back().capacity = capacity;
  return progress_.add_resource(capacity, division);
}

Fluid::Gate& Fluid::gate(ResourceIndex resource) {
  end_solitude(resources_[resource].only);
  std::unique_ptr<Gate>& gate = resources_[resource].gate;
  has_gates_ = true;
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
void Fluid::settle_progress() {
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
  end_solitude(resources_[index].only);
  ++capacities_;
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
  if (const ActivityIndex only = resources_[resource].only; only != nobody) {
    note_begin(only);
    if (!activities_[only].is_alone) return 0;
  }
  if (const ActivityIndex only = resources_[resource].only; only != nobody)
    for (const Use& use : activities_[only].uses)
      if (use.resource == resource) return use.coefficient * activities_[only].rate;
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
  set_uses(index, work.uses, work.is_distinct);
  ++active_;
  if (work.delay > Duration{} && work.amount > 0 && promise(index, now + work.delay, work.lone)) return index;
  if (work.delay > Duration{} || work.amount <= 0)
    dates_.set(index, now + work.delay, activity.order);
  else
    enter(index);
  return index;
}

void Fluid::set_uses(ActivityIndex index, std::span<const Use> uses, bool is_distinct) {
  std::vector<Use>& known = activities_[index].uses;
  if (is_distinct && known.size() == uses.size()) {
    std::copy(uses.begin(), uses.end(), known.begin());
    return;
  }
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
  return !has_gates_ || std::none_of(activity.uses.begin(), activity.uses.end(), [this](const Use& use) {
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
  for (const Use& use : activities_[index].uses) end_solitude(resources_[use.resource].only);
  if (!join_alone(index)) join_others(index);
}

// Whether nobody uses what it uses.
bool Fluid::has_all(const Activity& activity) const {
  for (const Use& use : activity.uses) {
    const Resource& resource = resources_[use.resource];
    if (resource.sharers > 0 || resource.only != nobody || resource.gate) return false;
  }
  return true;
}

// Its rate is that of the tightest resource, or its bound.
void Fluid::set_lone_rate(Activity& activity) const {
  activity.rate = activity.bound;
  activity.limit = FairSharing::by_bound;
  for (const Use& use : activity.uses) {
    const Resource& resource = resources_[use.resource];
    const double rate = use.coefficient == 1 ? resource.capacity : resource.capacity / use.coefficient;
    if (rate >= activity.rate) continue;
    activity.rate = rate;
    activity.limit = use.resource;
  }
}

bool Fluid::takes_all(ActivityIndex index) {
  Activity& activity = activities_[index];
  if (!has_all(activity)) return false;
  set_lone_rate(activity);
  if (!(activity.rate > 0 && activity.rate < unbounded)) return false;
  for (const Use& use : activity.uses) resources_[use.resource].only = index;
  return true;
}

bool Fluid::join_alone(ActivityIndex index) {
  Activity& activity = activities_[index];
  Clock* clock = activity.clock == plain_time ? nullptr : &clocks_[activity.clock];
  if ((clock && clock->only != nobody) || !takes_all(index)) return false;
  if (clock) {
    clock->only = index;
    activity.reading = clock->clock->integral(now_);
  }
  activity.is_alone = true;
  activity.since = now_;
  dates_.set(index, end_alone(activity), activity.order);
  return true;
}

// Holds what it will use alone from `begin` on.
bool Fluid::promise(ActivityIndex index, TimePoint begin, LoneTime* lone) {
  Activity& activity = activities_[index];
  if (activity.clock != plain_time || !has_all(activity)) return false;
  activity.since = begin;
  if (lone != nullptr && lone->capacities == capacities_) {
    activity.rate = lone->rate;
    activity.limit = lone->limit;
    dates_.set(index, begin + lone->duration, activity.order);
  } else {
    set_lone_rate(activity);
    if (!(activity.rate > 0 && activity.rate < unbounded)) return false;
    const TimePoint end = end_alone(activity);
    if (end == never) return false;
    if (lone != nullptr) {
      lone->capacities = capacities_;
      lone->duration = end - begin;
      lone->rate = activity.rate;
      lone->limit = activity.limit;
    }
    dates_.set(index, end, activity.order);
  }
  activity.is_promised = true;
  for (const Use& use : activity.uses) resources_[use.resource].only = index;
  return true;
}

// What was promised and has begun flows alone. Whoever asks about an activity calls this: no date changes by it.
void Fluid::note_begin(ActivityIndex index) {
  Activity& activity = activities_[index];
  if (!activity.is_promised || now_ < activity.since) return;
  activity.is_promised = false;
  activity.phase = Phase::flowing;
  activity.is_alone = true;
  count(index, 1);
}

// From what was promised to what is, before it changes.
void Fluid::resolve(ActivityIndex index) {
  note_begin(index);
  Activity& activity = activities_[index];
  if (!activity.is_promised) return;
  activity.is_promised = false;
  for (const Use& use : activity.uses) resources_[use.resource].only = nobody;
  dates_.set(index, activity.since, activity.order);
}

void Fluid::join_others(ActivityIndex index) {
  const Activity& activity = activities_[index];
  for (const Use& use : activity.uses) ++resources_[use.resource].sharers;
  progress_.join(index, {activity.weight, activity.bound, activity.clock, activity.uses},
                 activity.amount, now_);
}

double Fluid::left_alone(const Activity& activity) const {
  const double passed = activity.clock == plain_time
                            ? (now_ - activity.since).seconds()
                            : clocks_[activity.clock].clock->integral(now_) - activity.reading;
  return std::max(activity.amount - activity.rate * passed, 0.0);
}

TimePoint Fluid::end_alone(const Activity& activity) const {
  const double seconds = activity.amount / activity.rate;
  if (activity.clock == plain_time || seconds <= 0) return date_after(activity.since, seconds);
  const TimePoint date = clocks_[activity.clock].clock->inverse(activity.reading + seconds);
  return std::max(date, activity.since);
}

// Who was alone will share.
void Fluid::end_solitude(ActivityIndex only) {
  if (only == nobody) return;
  resolve(only);
  if (activities_[only].phase != Phase::flowing) return;
  activities_[only].amount = part(only);
  join_others(only);
}

// Flows no more; returns what is left.
double Fluid::part(ActivityIndex index) {
  const Activity& activity = activities_[index];
  const double left = activity.is_alone ? left_alone(activity) : progress_.leave(index, now_);
  if (activity.is_alone) dates_.remove(index);
  forget_use(index);
  return left;
}

void Fluid::forget_use(ActivityIndex index) {
  Activity& activity = activities_[index];
  for (const Use& use : activity.uses) {
    Resource& resource = resources_[use.resource];
    if (activity.is_alone || activity.is_promised) resource.only = nobody;
    else --resource.sharers;
  }
  activity.is_promised = false;
  if (activity.is_alone && activity.clock != plain_time) clocks_[activity.clock].only = nobody;
  activity.is_alone = false;
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
  resolve(index);
  Activity& activity = activities_[index];
  switch (activity.phase) {
    case Phase::waiting: stop_waiting(index); break;
    case Phase::delayed:
      activity.delay = dates_.date(index) - now_;
      dates_.remove(index);
      break;
    case Phase::flowing:
      activity.amount = part(index);
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

// Lets those in who waited for what somebody has left, the first that came first.
void Fluid::admit(const std::vector<Use>& left) {
  for (std::uint64_t ticket = 0; has_gates_; ++ticket) {
    std::pair<std::uint64_t, ActivityIndex> next{~std::uint64_t{0}, 0};
    for (const Use& use : left) {
      const Resource& resource = resources_[use.resource];
      if (!resource.gate || resource.is_full()) continue;
      const auto first = resource.gate->waiting.lower_bound({ticket, 0});
      if (first != resource.gate->waiting.end()) next = std::min(next, *first);
    }
    ticket = next.first;
    if (ticket == ~std::uint64_t{0}) return;
    if (!may_flow(activities_[next.second])) continue;
    stop_waiting(next.second);
    flow(next.second);
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
    dates_.set(index, now + activity.delay, activity.order);
  } else {
    enter(index);
  }
}

// One that flows parts from those it flows with, and joins those that it now belongs to.
void Fluid::change(ActivityIndex index, double Activity::*property, double value, TimePoint now) {
  go_to(now);
  resolve(index);
  Activity& activity = activities_[index];
  const bool is_flowing = activity.phase == Phase::flowing;
  if (is_flowing) activity.amount = part(index);
  activity.*property = value;
  if (is_flowing) join(index);
}

void Fluid::set_weight(ActivityIndex index, double weight, TimePoint now) {
  change(index, &Activity::weight, weight, now);
}

void Fluid::set_bound(ActivityIndex index, double bound, TimePoint now) {
  change(index, &Activity::bound, bound, now);
}

void Fluid::set_coefficients(ActivityIndex index, std::span<const Use> uses, TimePoint now) {
  go_to(now);
  resolve(index);
  Activity& activity = activities_[index];
  const bool is_open = activity.phase == Phase::flowing || activity.phase == Phase::waiting;
  if (is_open) leave(index);
  const std::vector<Use> left = activity.uses;
  set_uses(index, uses, false);
  if (!is_open) return;
  enter(index);
  admit(left);
}

double Fluid::remaining(ActivityIndex index, TimePoint now) {
  go_to(now);
  note_begin(index);
  settle();
  const Activity& activity = activities_[index];
  if (activity.phase != Phase::flowing) return activity.amount;
  return activity.is_alone ? left_alone(activity) : progress_.remaining(index, now);
}

double Fluid::rate(ActivityIndex index) {
  note_begin(index);
  settle();
  const Activity& activity = activities_[index];
  if (activity.phase != Phase::flowing) return 0;
  return activity.is_alone ? activity.rate : progress_.rate(index);
}

Fluid::Limit Fluid::limit(ActivityIndex index) {
  note_begin(index);
  REHEARSE_ASSERT(activities_[index].phase == Phase::flowing, "the activity flows");
  settle();
  const Activity& activity = activities_[index];
  const ResourceIndex limit = activity.is_alone ? activity.limit : progress_.limit(index);
  return {limit == FairSharing::by_bound, limit};
}

std::uint32_t Fluid::add_clock(const WorkClock* clock) {
  clocks_.push_back({clock});
  return progress_.add_clock(clock);
}

void Fluid::replace_clock(std::uint32_t index, const WorkClock* clock, TimePoint now) {
  go_to(now);
  end_solitude(clocks_[index].only);
  settle();
  clocks_[index].clock = clock;
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

// What happens most often: nothing but the end of one that nobody came to share with.
bool Fluid::end_promised(TimePoint now, std::vector<ActivityIndex>& ended) {
  if (has_gates_ || dates_.empty() || dates_.first_date() != now || progress_.first_date() == now) return false;
  const ActivityIndex index = dates_.first();
  Activity& activity = activities_[index];
  if (!activity.is_promised || !dates_.is_first_alone()) return false;
  dates_.remove(index);
  for (const Use& use : activity.uses) resources_[use.resource].only = nobody;
  activity.is_promised = false;
  release(index);
  ended.push_back(index);
  return true;
}

void Fluid::advance(TimePoint now, std::vector<ActivityIndex>& ended) {
  REHEARSE_ASSERT(now >= now_ && now <= next_date(), "no date is jumped over");
  now_ = now;
  if (end_promised(now, ended)) return;
  ended_.clear();
  entering_.clear();
  if (progress_.first_date() == now) progress_.end(now, ended_);
  const std::size_t shared = ended_.size();
  while (!dates_.empty() && dates_.first_date() == now) {
    const ActivityIndex index = dates_.first();
    dates_.remove(index);
    const Activity& activity = activities_[index];
    const bool enters =
        activity.phase == Phase::delayed && activity.amount > 0 && !activity.is_promised;
    (enters ? entering_ : ended_).push_back(index);
  }
  for (std::size_t i = 0; i < ended_.size(); ++i) {
    const Activity& activity = activities_[ended_[i]];
    if (i >= shared && !activity.is_alone && !activity.is_promised) continue;  // its delay was all
    if (!activity.is_promised) count(ended_[i], -1);
    forget_use(ended_[i]);
  }
  if (ended_.size() > 1)
    std::sort(ended_.begin(), ended_.end(), [this](ActivityIndex a, ActivityIndex b) {
      return activities_[a].order < activities_[b].order;
    });
  for (const ActivityIndex index : ended_) admit(activities_[index].uses);
  for (const ActivityIndex index : entering_) enter(index);
  for (const ActivityIndex index : ended_) release(index);
  ended.insert(ended.end(), ended_.begin(), ended_.end());
}

}  // namespace rehearse::sharing
