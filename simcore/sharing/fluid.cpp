// SPDX-License-Identifier: MIT
//
// The life of activities: delays, queues before limited resources (Admission), and flow: on the fast path as long as no
// other activity uses the same resources (UncontendedFlows) or they begin at one date (BatchedFlows), otherwise by
// FlowProgress.
#include "simcore/sharing/fluid.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "simcore/support/assert.hpp"

namespace rehearse::sharing {

ResourceIndex Fluid::add_resource(double capacity, Division division) {
  state_.resources.emplace_back().capacity = capacity;
  batches_.add_resource(division);
  return progress_.add_resource(capacity, division);
}

ResourceIndex Fluid::add_meter() {
  const ResourceIndex meter = add_resource(unbounded);
  loads_.make_meter(meter);
  return meter;
}

FluidGate& Fluid::gate(ResourceIndex resource) {
  leave_fast_path(state_.resources[resource].sole_user);
  batches_.dissolve_at(resource);
  return admission_.gate(resource);
}

void Fluid::go_to(TimePoint now) {
  REHEARSE_ASSERT(now >= state_.now, "time does not go back");
  if (now == state_.now) return;
  settle();
  state_.now = now;
}

// The activities that have begun to share at this date.
void Fluid::place_pending() {
  if (loads_.is_on())
    for (const ActivityIndex index : batches_.pending()) loads_.note(index);
  const bool is_alone = progress_.is_empty() && !admission_.has_gates();
  for (const ActivityIndex index : batches_.place(is_alone)) share(index);
}

// New rates of all activities that share with a changed one, and the dates that follow from them.
void Fluid::settle_progress() {
  progress_.settle(state_.now);
  if (loads_.is_on()) loads_.note_rates();
}

void Fluid::set_capacity(ResourceIndex index, double capacity, TimePoint now) {
  go_to(now);
  leave_fast_path(state_.resources[index].sole_user);
  batches_.dissolve_at(index);
  uncontended_.note_capacity_change();
  batches_.note_capacity_change();
  loads_.note_resource(index);
  FluidResource& resource = state_.resources[index];
  resource.capacity = capacity;
  const bool is_function = resource.gate && resource.gate->function;
  progress_.set_capacity(index, is_function ? resource.gate->function(capacity, resource.flows) : capacity);
}

void Fluid::set_concurrency_limit(ResourceIndex index, std::uint32_t limit, double least) {
  REHEARSE_ASSERT(state_.resources[index].flows == 0, "a limit is set before the first use");
  gate(index).limit = limit;
  gate(index).least = least;
}

void Fluid::set_capacity_function(ResourceIndex index, CapacityFunction function, TimePoint now) {
  gate(index).function = std::move(function);
  set_capacity(index, state_.resources[index].capacity, now);
}

void Fluid::set_capacity_function(ResourceIndex index, CapacityFunction function) {
  REHEARSE_ASSERT(state_.resources[index].flows == 0, "the resource is not in use yet");
  gate(index).function = std::move(function);
}

double Fluid::usage(ResourceIndex resource) {
  settle();
  return loads_.usage(resource, state_.now);
}

inline void Fluid::count(ActivityIndex index, int change) {
  if (admission_.has_gates()) return count_at_gates(index, change);
  FluidResource* const resources = state_.resources.data();
  for (const Use& use : std::span<const Use>(state_.activities[index].uses))
    resources[use.resource].flows += static_cast<std::uint32_t>(use.coefficient >= 1 ? change : 0);
}

void Fluid::count_at_gates(ActivityIndex index, int change) {
  for (const Use& use : state_.activities[index].uses) {
    FluidResource& resource = state_.resources[use.resource];
    if (!resource.counts(use.coefficient)) continue;
    resource.flows += static_cast<std::uint32_t>(change);
    if (resource.gate && resource.gate->function)
      progress_.set_capacity(use.resource, resource.gate->function(resource.capacity, resource.flows));
  }
}

ActivityIndex Fluid::start(const Work& work, TimePoint now) {
  go_to(now);
  if (free_.empty()) {
    free_.push_back(static_cast<ActivityIndex>(state_.activities.size()));
    state_.activities.emplace_back();
  }
  const ActivityIndex index = free_.back();
  free_.pop_back();
  FluidActivity& activity = state_.activities[index];
  activity.amount = work.amount;
  activity.weight = work.weight;
  activity.bound = work.bound;
  activity.order = started_++;
  activity.clock = work.clock;
  activity.phase = Phase::delayed;
  activity.batches = 0;
  set_uses(index, work.uses, work.is_distinct);
  if (work.known != nullptr) batches_.name_shape(activity, work.known);
  if (loads_.is_on()) set_meters(index, work.meters);
  ++active_;
  if (work.delay > Duration{} && work.amount > 0 && uncontended_.precompute(index, now + work.delay, work.known)) {
    if (loads_.is_on()) loads_.expect(index);
    return index;
  }
  if (work.delay > Duration{} || work.amount <= 0) dates_.set(index, now + work.delay, activity.order);
  else enter(index);
  return index;
}

void Fluid::set_uses(ActivityIndex index, std::span<const Use> uses, bool is_distinct) {
  state_.activities[index].shapes = 0;
  std::vector<Use>& known = state_.activities[index].uses;
  if (is_distinct && known.size() == uses.size()) {
    std::copy(uses.begin(), uses.end(), known.begin());
    return;
  }
  known.clear();
  for (const Use& use : uses) {
    const auto same =
        std::find_if(known.begin(), known.end(), [&](const Use& u) { return u.resource == use.resource; });
    if (same == known.end()) known.push_back(use);
    else same->coefficient += use.coefficient;
  }
}

void Fluid::set_meters(ActivityIndex index, std::span<const Use> meters) {
  state_.activities[index].meters.assign(meters.begin(), meters.end());
  loads_.enter(index);
}

// The delay is over: the activity flows, or waits at a full resource.
void Fluid::enter(ActivityIndex index, bool has_company) {
  if (admission_.may_flow(state_.activities[index])) flow(index, has_company);
  else admission_.wait(index);
}

void Fluid::flow(ActivityIndex index, bool has_company) {
  state_.activities[index].phase = Phase::flowing;
  join(index, has_company);
  count(index, 1);
}

// Whether the two are known to share a resource: that of their source or of their destination.
bool Fluid::meet(ActivityIndex one, ActivityIndex other) const {
  const FluidActivity &a = state_.activities[one], &b = state_.activities[other];
  if (a.uses.empty() || b.uses.empty() || a.clock != plain_time || b.clock != plain_time) return false;
  const ResourceIndex first = a.uses.front().resource, last = a.uses.back().resource;
  const ResourceIndex other_first = b.uses.front().resource, other_last = b.uses.back().resource;
  return first == other_first || last == other_last || first == other_last || last == other_first;
}

// `has_company`: another activity joins at this date and uses the same resources, so it is not worth while to begin
// alone.
void Fluid::join(ActivityIndex index, bool has_company) {
  for (const Use& use : state_.activities[index].uses) {
    const ActivityIndex sole_user = state_.resources[use.resource].sole_user;
    if (sole_user != nobody) leave_fast_path(sole_user);
    batches_.dissolve_at(use.resource);
  }
  if (loads_.is_on()) loads_.note(index);
  if (has_company || !uncontended_.flow(index)) join_others(index);
}

void Fluid::join_others(ActivityIndex index) {
  if (batches_.accepts(state_.activities[index])) batches_.add(index);
  else share(index);
}

void Fluid::share(ActivityIndex index) {
  const FluidActivity& activity = state_.activities[index];
  for (const Use& use : activity.uses) ++state_.resources[use.resource].sharers;
  progress_.join(index, {activity.weight, activity.bound, activity.clock, activity.uses}, activity.amount, state_.now);
}

// The sole user of a resource will now share it.
void Fluid::leave_fast_path(ActivityIndex sole_user) {
  if (sole_user == nobody) return;
  uncontended_.return_to_delay(sole_user);
  if (state_.activities[sole_user].phase != Phase::flowing) return;
  state_.activities[sole_user].amount = part(sole_user);
  join_others(sole_user);
}

// The activity stops flowing; returns its remaining work.
double Fluid::part(ActivityIndex index) {
  const FluidActivity& activity = state_.activities[index];
  double remaining = activity.amount;
  if (activity.is_uncontended) remaining = uncontended_.remaining(activity, state_.now);
  else if (batches_.is_here(index)) batches_.dissolve_with(index), remaining = activity.amount;
  else remaining = progress_.leave(index, state_.now);
  if (activity.is_uncontended) dates_.remove(index);
  forget_use(index);
  return remaining;
}

void Fluid::forget_use(ActivityIndex index) {
  if (loads_.is_on()) loads_.note(index);
  const FluidActivity& activity = state_.activities[index];
  if (activity.is_uncontended || activity.is_precomputed) return uncontended_.give_up(index);
  if (activity.batch == pending_batch) return batches_.remove(index);
  if (activity.batch != no_batch) return batches_.end(index);
  for (const Use& use : activity.uses) --state_.resources[use.resource].sharers;
}

// The activity stops flowing, waiting or being delayed; its remaining delay and work are stored in it.
void Fluid::leave(ActivityIndex index) {
  uncontended_.return_to_delay(index);
  FluidActivity& activity = state_.activities[index];
  switch (activity.phase) {
    case Phase::waiting: admission_.stop_waiting(index); break;
    case Phase::delayed:
      activity.delay = dates_.date(index) - state_.now;
      dates_.remove(index);
      break;
    case Phase::flowing:
      activity.amount = part(index);
      count(index, -1);
      break;
    case Phase::suspended: break;
  }
}

// Admits activities that waited for the released resources.
void Fluid::admit(const std::vector<Use>& released) {
  std::uint64_t ticket = 0;
  while (const std::optional<ActivityIndex> next = admission_.next(released, ticket)) {
    admission_.stop_waiting(*next);
    flow(*next);
  }
}

void Fluid::release(ActivityIndex index) {
  if (loads_.is_on()) loads_.leave(index);
  --active_;
  free_.push_back(index);
}

void Fluid::cancel(ActivityIndex index, TimePoint now) {
  go_to(now);
  leave(index);
  admit(state_.activities[index].uses);
  release(index);
}

void Fluid::suspend(ActivityIndex index, TimePoint now) {
  go_to(now);
  FluidActivity& activity = state_.activities[index];
  if (activity.phase == Phase::suspended) return;
  activity.delay = {};
  leave(index);
  activity.phase = Phase::suspended;
  admit(state_.activities[index].uses);
}

void Fluid::resume(ActivityIndex index, TimePoint now) {
  go_to(now);
  FluidActivity& activity = state_.activities[index];
  if (activity.phase != Phase::suspended) return;
  if (activity.delay > Duration{} || activity.amount <= 0) {
    activity.phase = Phase::delayed;
    dates_.set(index, now + activity.delay, activity.order);
  } else {
    enter(index);
  }
}

// A flowing activity leaves its bundle, changes, and joins the bundle for its new properties.
void Fluid::change(ActivityIndex index, double FluidActivity::*property, double value, TimePoint now) {
  go_to(now);
  uncontended_.return_to_delay(index);
  FluidActivity& activity = state_.activities[index];
  const bool is_flowing = activity.phase == Phase::flowing;
  if (is_flowing) activity.amount = part(index);
  activity.*property = value;
  activity.shapes = 0;
  if (is_flowing) join(index);
}

void Fluid::set_weight(ActivityIndex index, double weight, TimePoint now) {
  change(index, &FluidActivity::weight, weight, now);
}

void Fluid::set_bound(ActivityIndex index, double bound, TimePoint now) {
  change(index, &FluidActivity::bound, bound, now);
}

void Fluid::set_coefficients(ActivityIndex index, std::span<const Use> uses, std::span<const Use> meters,
                             TimePoint now) {
  go_to(now);
  uncontended_.return_to_delay(index);
  FluidActivity& activity = state_.activities[index];
  const bool is_open = activity.phase == Phase::flowing || activity.phase == Phase::waiting;
  if (is_open) leave(index);
  const std::vector<Use> released = activity.uses;
  set_uses(index, uses, false);
  if (loads_.is_on()) {
    loads_.leave(index);
    set_meters(index, meters);
  }
  if (!is_open) return;
  enter(index);
  admit(released);
}

double Fluid::remaining(ActivityIndex index, TimePoint now) {
  go_to(now);
  uncontended_.note_begin(index);
  settle();
  const FluidActivity& activity = state_.activities[index];
  if (activity.phase != Phase::flowing) return activity.amount;
  if (batches_.is_here(index)) return batches_.remaining(activity, now);
  return activity.is_uncontended ? uncontended_.remaining(activity, now) : progress_.remaining(index, now);
}

double Fluid::remaining_at(ActivityIndex index, TimePoint date) const {
  const FluidActivity& activity = state_.activities[index];
  if (activity.is_precomputed || activity.is_uncontended)
    return date <= activity.since ? activity.amount : uncontended_.remaining(activity, date);
  if (activity.phase != Phase::flowing || activity.batch == pending_batch) return activity.amount;
  return batches_.is_here(index) ? batches_.remaining(activity, date) : progress_.remaining(index, date);
}

double Fluid::rate(ActivityIndex index) {
  uncontended_.note_begin(index);
  settle();
  const FluidActivity& activity = state_.activities[index];
  if (activity.phase != Phase::flowing) return 0;
  return activity.is_uncontended || batches_.is_here(index) ? activity.rate : progress_.rate(index);
}

Fluid::Limit Fluid::limit(ActivityIndex index) {
  uncontended_.note_begin(index);
  REHEARSE_ASSERT(state_.activities[index].phase == Phase::flowing, "the activity flows");
  settle();
  const FluidActivity& activity = state_.activities[index];
  const bool is_known = activity.is_uncontended || batches_.is_here(index);
  const ResourceIndex limit = is_known ? activity.limit : progress_.limit(index);
  return {limit == FairSharing::by_bound, limit};
}

std::uint32_t Fluid::add_clock(const WorkClock* clock) {
  state_.clocks.push_back({clock});
  return progress_.add_clock(clock);
}

void Fluid::replace_clock(std::uint32_t index, const WorkClock* clock, TimePoint now) {
  go_to(now);
  leave_fast_path(state_.clocks[index].sole_user);
  settle();
  state_.clocks[index].clock = clock;
  progress_.replace_clock(index, clock, now);
}

std::span<const LoadChange> Fluid::changed(TimePoint until) {
  settle();
  return loads_.changed(until);
}

// The most frequent case: the only event is the end of a precomputed activity.
bool Fluid::end_precomputed(TimePoint now, std::vector<ActivityIndex>& ended) {
  if (admission_.has_gates() || dates_.empty() || dates_.first_date() != now || progress_.first_date() == now)
    return false;
  const ActivityIndex index = dates_.first();
  if (!state_.activities[index].is_precomputed || !dates_.is_first_alone()) return false;
  dates_.remove(index);
  if (loads_.is_on()) loads_.note(index);
  uncontended_.give_up(index);
  release(index);
  ended.push_back(index);
  return true;
}

void Fluid::sort_by_start(std::vector<ActivityIndex>& indices) const {
  const auto is_before = [this](ActivityIndex a, ActivityIndex b) {
    return state_.activities[a].order < state_.activities[b].order;
  };
  if (!std::is_sorted(indices.begin(), indices.end(), is_before)) std::sort(indices.begin(), indices.end(), is_before);
}

void Fluid::advance(TimePoint now, std::vector<ActivityIndex>& ended) {
  REHEARSE_ASSERT(now >= state_.now && now <= next_date(), "no date is jumped over");
  state_.now = now;
  if (end_precomputed(now, ended)) return;
  ended_.clear();
  entering_.clear();
  if (progress_.first_date() == now) progress_.end(now, ended_);
  const std::size_t shared = ended_.size();
  due_.clear();
  if (!dates_.empty() && dates_.first_date() == now) dates_.take_first(due_);
  for (const ActivityIndex index : due_) {
    const FluidActivity& activity = state_.activities[index];
    if (batches_.is_here(index)) {
      batches_.take_due(index, ended_);
      continue;
    }
    const bool enters = activity.phase == Phase::delayed && activity.amount > 0 && !activity.is_precomputed;
    (enters ? entering_ : ended_).push_back(index);
  }
  for (std::size_t i = 0; i < ended_.size(); ++i) {
    const FluidActivity& activity = state_.activities[ended_[i]];
    const bool has_flowed = i < shared || activity.is_uncontended || batches_.is_here(ended_[i]);
    if (!has_flowed && !activity.is_precomputed) continue;  // it had only a delay
    if (!activity.is_precomputed) count(ended_[i], -1);
    forget_use(ended_[i]);
  }
  batches_.break_ended();
  if (ended_.size() > 1) sort_by_start(ended_);
  if (entering_.size() > 1) sort_by_start(entering_);
  for (std::size_t i = 0; admission_.has_gates() && i < ended_.size(); ++i) admit(state_.activities[ended_[i]].uses);
  for (std::size_t i = 0; i < entering_.size(); ++i)
    enter(entering_[i], i + 1 < entering_.size() && meet(entering_[i], entering_[i + 1]));
  for (const ActivityIndex index : ended_) release(index);
  ended.insert(ended.end(), ended_.begin(), ended_.end());
}

}  // namespace rehearse::sharing
