// SPDX-License-Identifier: MIT
//
// See batched_flows.hpp.
#include "simcore/sharing/batched_flows.hpp"

#include <algorithm>

#include "simcore/sharing/word_hash.hpp"
#include "simcore/sharing/work_clock.hpp"

namespace rehearse::sharing {

namespace {

constexpr std::uint8_t most_batches = 2;   // of one activity, except in small batches
constexpr std::size_t small_batch = 16;    // members; such a batch is made again at once
constexpr double finite_capacity = 1e250;  // as FairSharing's
constexpr int passes = 4;                  // before all pending activities share step by step

}  // namespace

bool BatchedFlows::accepts(const FluidActivity& activity) const {
  if (activity.clock != plain_time || activity.batches >= most_batches) return false;
  for (const Use& use : activity.uses)
    if (state_.resources[use.resource].gate) return false;
  return true;
}

void BatchedFlows::add(ActivityIndex index) {
  FluidActivity& activity = state_.activities[index];
  activity.batch = pending_batch;
  activity.batch_place = static_cast<std::uint32_t>(pending_.size());
  pending_.push_back(index);
  rest_ = {};
  for (const Use& use : activity.uses) ++state_.resources[use.resource].batched;
}

void BatchedFlows::remove(ActivityIndex index) {
  FluidActivity& activity = state_.activities[index];
  for (const Use& use : activity.uses) {
    FluidResource& resource = state_.resources[use.resource];
    --resource.batched;
    resource.batch = no_batch;
  }
  if (activity.batch == pending_batch) {
    rest_ = {};
    // The others keep their order.
    pending_.erase(pending_.begin() + activity.batch_place);
    for (std::size_t i = activity.batch_place; i < pending_.size(); ++i)
      state_.activities[pending_[i]].batch_place = static_cast<std::uint32_t>(i);
    if (std::erase(dated_, index) > 0) dates_.remove(index);
  }
  activity.batch = no_batch;
}

double BatchedFlows::remaining(const FluidActivity& activity, TimePoint date) const {
  return std::max(activity.amount - activity.rate * (date - activity.since).seconds(), 0.0);
}

// Local pointers below save loads: a store could change those that are members, for all that the compiler knows.
void BatchedFlows::dissolve(std::uint32_t batch) {
  if (batch == no_batch) return;
  const Batch& members = batches_[batch];
  const bool is_few = members.ended == 1 || members.ended == 2;
  const bool is_rest = pending_.empty() && is_few && members.table == shape_tables_;
  rest_ = is_rest ? Rest{members.set, members.ending} : Rest{};
  const bool is_large = members.size > small_batch;
  FluidActivity* const activities = state_.activities.data();
  FluidResource* const resources = state_.resources.data();
  if (activities[members.first_to_end].batch == batch) dated_.push_back(members.first_to_end);
  for_each_member(members, [&](ActivityIndex index) {
    FluidActivity& activity = activities[index];
    if (activity.batch != batch) return;  // it has ended
    if (!is_large) activity.batches = 0;
    else if (state_.now > activity.since) activity.batches = most_batches;
    has_worn_ |= activity.batches >= most_batches;
    activity.amount = remaining(activity, state_.now);
    activity.batch = pending_batch;
    activity.batch_place = static_cast<std::uint32_t>(pending_.size());
    pending_.push_back(index);
    for (const Use& use : std::span<const Use>(activity.uses)) resources[use.resource].batch = no_batch;
  });
  forget(batch);
}

void BatchedFlows::forget(std::uint32_t batch) {
  batches_[batch].size = 0;
  batches_[batch].ended = 0;
  free_.push_back(batch);
}

void BatchedFlows::add_member(Batch& batch, ActivityIndex index) {
  FluidActivity* const activities = state_.activities.data();
  const bool is_first = batch.size == 0;
  if (is_first || activities[index].end < activities[batch.first_to_end].end) batch.first_to_end = index;
  (is_first ? batch.first : activities[batch.last].next_in_batch) = index;
  batch.last = index;
  ++batch.size;
}

void BatchedFlows::take_due(ActivityIndex first, std::vector<ActivityIndex>& due) const {
  for_each_member(batches_[state_.activities[first].batch], [&](ActivityIndex index) {
    if (state_.activities[index].end == state_.now) due.push_back(index);
  });
}

void BatchedFlows::end(ActivityIndex index) {
  FluidActivity& activity = state_.activities[index];
  Batch& batch = batches_[activity.batch];
  if (batch.ended == 0) ending_.push_back(activity.batch);
  batch.ending = {activity.batch_place, batch.ended == 0 ? KnownRates::nobody : batch.ending.flow};
  ++batch.ended;
  remove(index);
}

void BatchedFlows::break_ended() {
  for (const std::uint32_t batch : ending_) dissolve(batch);
  ending_.clear();
}

double BatchedFlows::usage(ResourceIndex resource) const {
  double sum = 0, greatest = 0;
  for_each_member(batches_[state_.resources[resource].batch], [&](ActivityIndex index) {
    const FluidActivity& activity = state_.activities[index];
    for (const Use& use : activity.uses) {
      if (use.resource != resource) continue;
      sum += use.coefficient * activity.rate;
      greatest = std::max(greatest, use.coefficient * activity.rate);
    }
  });
  return divisions_[resource] == Division::fatpipe ? greatest : sum;
}

bool BatchedFlows::touches_others(const FluidActivity& activity) {
  if (activity.batches >= most_batches) return true;
  for (const Use& use : activity.uses)
    if (const FluidResource& resource = state_.resources[use.resource];
        resource.sharers > 0 || resource.gate || (!others_.empty() && mark(use.resource).is_taken))
      return true;
  return false;
}

// Moves the pending activities that cannot be in a batch to others_, in their order.
void BatchedFlows::set_apart_others() {
  others_.clear();
  begin_round();
  bool is_complete = false;
  for (int pass = 0; !is_complete; ++pass) {
    is_complete = true;
    const bool all = pass >= passes;
    const auto kept = std::stable_partition(pending_.begin(), pending_.end(), [&](ActivityIndex index) {
      return !all && !touches_others(state_.activities[index]);
    });
    for (auto other = kept; other != pending_.end(); ++other) {
      FluidActivity& activity = state_.activities[*other];
      activity.batch = no_batch;
      for (const Use& use : activity.uses) {
        --state_.resources[use.resource].batched;
        mark(use.resource).is_taken = true;
        is_complete &= state_.resources[use.resource].batched == 0;
      }
      others_.push_back(*other);
    }
    pending_.erase(kept, pending_.end());
    is_complete |= pending_.empty();
  }
}

std::span<const ActivityIndex> BatchedFlows::place(bool is_alone) {
  // The order of starts: sets that come again are equal, and equal dates are in order.
  const auto by_start = [this](ActivityIndex a, ActivityIndex b) {
    return state_.activities[a].order < state_.activities[b].order;
  };
  if (!std::is_sorted(pending_.begin(), pending_.end(), by_start))
    std::sort(pending_.begin(), pending_.end(), by_start);
  if (is_alone && (pending_.size() <= small_batch || !has_worn_)) others_.clear();
  else set_apart_others();
  has_worn_ = false;
  if (pending_.empty()) {
    forget_dates();
    return others_;
  }
  if (const KnownRates::Solution known = find_solution(); !known.flows.empty()) {
    begin_batches(known);
  } else {
    for (const ActivityIndex index : pending_) {
      state_.activities[index].batch = no_batch;
      for (const Use& use : state_.activities[index].uses) --state_.resources[use.resource].batched;
      others_.push_back(index);
    }
  }
  pending_.clear();
  forget_dates();
  return others_;
}

// Of activities that are not the first to end any more. The others, which are most, only got a new date.
void BatchedFlows::forget_dates() {
  for (const ActivityIndex index : dated_) {
    const std::uint32_t batch = state_.activities[index].batch;
    if (batch == no_batch || batches_[batch].first_to_end != index) dates_.remove(index);
  }
  dated_.clear();
}

void BatchedFlows::name_shape(FluidActivity& activity, KnownWork* known) {
  if (known == nullptr) {
    activity.shape = shapes_.number(activity, state_.resources, divisions_);
  } else {
    const bool is_right = known->shapes == shape_tables_ && shapes_.has(known->shape, activity.weight, activity.bound);
    if (!is_right) known->shape = shapes_.number(activity, state_.resources, divisions_);
    known->shapes = shape_tables_;
    activity.shape = known->shape;
  }
  activity.shapes = shape_tables_;
}

// Describes the set of pending activities in words_, as KnownRates wants it; returns a hash of them.
std::uint64_t BatchedFlows::name_set() {
  begin_round();
  FluidActivity* const activities = state_.activities.data();
  std::uint32_t resources = 0;
  std::size_t size = 0;
  std::uint64_t hash = 1;
  for (const ActivityIndex index : std::span<const ActivityIndex>(pending_)) {
    FluidActivity& activity = activities[index];
    if (activity.shapes != shape_tables_) name_shape(activity, nullptr);
    const std::span<const Use> uses = activity.uses;
    KnownRates::Word* word = room_for_words(size, 1 + uses.size());
    *word++ = activity.shape;
    hash = mixed(hash, activity.shape);
    for (const Use& use : uses) {
      Mark& at = mark(use.resource);
      if (at.local == LoadTable::nowhere) at.local = resources++;
      *word++ = at.local;
      hash = mixed(hash, at.local);
    }
    size += 1 + uses.size();
  }
  words_ = std::span(word_room_).first(size);
  return hash ^ hash >> 32;
}

// Behind the first `used` ones. Most sets need no more room than one before.
KnownRates::Word* BatchedFlows::room_for_words(std::size_t used, std::size_t more) {
  if (used + more > word_room_.size()) word_room_.resize(2 * (used + more));
  return word_room_.data() + used;
}

// Nothing: some rates are 0 or infinite.
KnownRates::Solution BatchedFlows::find_solution() {
  const Rest rest = others_.empty() ? rest_ : Rest{};
  rest_ = {};
  if (rest.set == 0) return find_described();
  if (const KnownRates::Solution left = known_.left_by(rest.set, rest.ending); !left.flows.empty()) return left;
  const std::uint32_t table = shape_tables_;
  const KnownRates::Solution known = find_described();
  if (table == shape_tables_) known_.note_left(rest.set, rest.ending, known.place);
  return known;
}

KnownRates::Solution BatchedFlows::find_described() {
  if (shapes_.is_full() || known_.is_full()) forget_solutions();
  const std::uint64_t hash = name_set();
  const KnownRates::Solution known = known_.find(words_, hash, pending_.size());
  if (!known.flows.empty()) return known;
  KnownRates::Solution solution = solve();
  if (!solution.flows.empty()) solution.place = known_.keep(words_, hash, solution.flows, solution.parts);
  return solution;
}

void BatchedFlows::forget_solutions() {
  known_.clear();
  shapes_.clear();
  ++shape_tables_;
}

std::uint32_t BatchedFlows::root_of(std::uint32_t flow) {
  while (roots_[flow] != flow) flow = roots_[flow] = roots_[roots_[flow]];
  return flow;
}

// Describes the pending activities, and finds their connected parts.
// Source: union-find, Tarjan and van Leeuwen, Worst-case analysis of set union algorithms, 1984 (path halving).
void BatchedFlows::describe() {
  filling_.clear();
  std::uint32_t resources = 0;
  for (const ActivityIndex index : pending_) {
    for (const Use& use : state_.activities[index].uses) {
      if (mark(use.resource).local != resources) continue;
      filling_.add_resource(std::min(state_.resources[use.resource].capacity, finite_capacity),
                            divisions_[use.resource]);
      ++resources;
    }
  }
  roots_.resize(pending_.size());
  for (std::uint32_t flow = 0; flow < pending_.size(); ++flow) {
    const FluidActivity& activity = state_.activities[pending_[flow]];
    roots_[flow] = flow;
    filling_.add_flow(activity.weight, activity.bound);
    for (const Use& use : activity.uses) {
      Mark& at = mark(use.resource);
      if (at.part == LoadTable::nowhere) {
        at.part = flow;
      } else {  // the first flow of a part is its root
        const std::uint32_t one = root_of(at.part), other = root_of(flow);
        roots_[std::max(one, other)] = std::min(one, other);
      }
      filling_.add_use(at.local, use.coefficient);
    }
  }
}

// Which of the activity's resources has this number in the set.
std::uint32_t BatchedFlows::find_use(const FluidActivity& activity, std::uint32_t local) {
  std::uint32_t use = 0;
  while (mark(activity.uses[use].resource).local != local) ++use;
  return use;
}

// The parts share nothing, so each gets the rates that it would get alone.
KnownRates::Solution BatchedFlows::solve() {
  describe();
  solved_.resize(pending_.size());
  std::uint32_t parts = 0;
  filling_.solve();
  bool is_finite = true;
  for (std::uint32_t i = 0; i < pending_.size(); ++i) {
    KnownRates::Flow& solved = solved_[i];
    const std::uint32_t root = root_of(i);
    solved.part = root == i ? parts++ : solved_[root].part;
    const std::uint32_t limit = filling_.limit(i);
    const double rate = filling_.rate(i);
    const bool is_bound = limit == ProgressiveFilling::by_bound;
    solved.limit = is_bound ? KnownRates::by_bound : find_use(state_.activities[pending_[i]], limit);
    solved.level = is_bound ? rate : filling_.level(limit);
    is_finite &= rate > 0 && rate < unbounded;
  }
  if (!is_finite) return {};
  return {solved_, parts};
}

std::uint32_t BatchedFlows::make_batch() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(batches_.size()));
    batches_.emplace_back();
  }
  const std::uint32_t batch = free_.back();
  free_.pop_back();
  return batch;
}

void BatchedFlows::begin_batches(const KnownRates::Solution& known) {
  batch_of_part_.clear();
  while (batch_of_part_.size() < known.parts) batch_of_part_.push_back(make_batch());
  FluidActivity* const activities = state_.activities.data();
  FluidResource* const resources = state_.resources.data();
  std::uint32_t number = 0;
  for (const ActivityIndex index : std::span<const ActivityIndex>(pending_)) {
    const KnownRates::Flow solved = known.flows[number];
    FluidActivity& activity = activities[index];
    const std::uint32_t batch = batch_of_part_[solved.part];
    const std::span<const Use> uses = activity.uses;
    const bool is_bound = solved.limit == KnownRates::by_bound;
    activity.batch = batch;
    activity.batch_place = number++;
    ++activity.batches;
    activity.rate = is_bound || activity.weight == 1 ? solved.level : solved.level / activity.weight;
    activity.limit = is_bound ? FairSharing::by_bound : uses[solved.limit].resource;
    activity.since = state_.now;
    for (const Use& use : uses) resources[use.resource].batch = batch;
    const double work = is_bound ? activity.amount : activity.amount * activity.weight;
    activity.end = date_after(state_.now, work <= 0 ? 0 : work / solved.level);
    add_member(batches_[batch], index);
  }
  for (const std::uint32_t batch : batch_of_part_) {
    batches_[batch].set = known.place;
    batches_[batch].table = shape_tables_;
    const ActivityIndex first = batches_[batch].first_to_end;
    dates_.set(first, state_.activities[first].end, state_.activities[first].order);
  }
}

}  // namespace rehearse::sharing
