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
    // The others keep their order.
    pending_.erase(pending_.begin() + activity.batch_place);
    for (std::size_t i = activity.batch_place; i < pending_.size(); ++i)
      state_.activities[pending_[i]].batch_place = static_cast<std::uint32_t>(i);
    if (std::erase(dated_, index) > 0) dates_.remove(index);
  }
  activity.batch = no_batch;
}

double BatchedFlows::remaining(const FluidActivity& activity) const {
  return std::max(activity.amount - activity.rate * (state_.now - activity.since).seconds(), 0.0);
}

void BatchedFlows::dissolve(std::uint32_t batch) {
  if (batch == no_batch) return;
  const Batch& members = batches_[batch];
  const bool is_large = members.members.size() > small_batch;
  if (state_.activities[members.first_to_end].batch == batch) dated_.push_back(members.first_to_end);
  for (const ActivityIndex index : members.members) {
    FluidActivity& activity = state_.activities[index];
    if (activity.batch != batch) continue;  // it has ended
    if (!is_large) activity.batches = 0;
    else if (state_.now > activity.since) activity.batches = most_batches;
    has_worn_ |= activity.batches >= most_batches;
    activity.amount = remaining(activity);
    activity.batch = pending_batch;
    activity.batch_place = static_cast<std::uint32_t>(pending_.size());
    pending_.push_back(index);
    for (const Use& use : activity.uses) state_.resources[use.resource].batch = no_batch;
  }
  forget(batch);
}

void BatchedFlows::forget(std::uint32_t batch) {
  batches_[batch].members.clear();
  batches_[batch].is_ending = false;
  free_.push_back(batch);
}

void BatchedFlows::take_due(ActivityIndex first, std::vector<ActivityIndex>& due) const {
  for (const ActivityIndex index : batches_[state_.activities[first].batch].members)
    if (state_.activities[index].end == state_.now) due.push_back(index);
}

void BatchedFlows::end(ActivityIndex index) {
  FluidActivity& activity = state_.activities[index];
  const std::uint32_t batch = activity.batch;
  if (!batches_[batch].is_ending) {
    batches_[batch].is_ending = true;
    ending_.push_back(batch);
  }
  remove(index);
}

void BatchedFlows::break_ended() {
  for (const std::uint32_t batch : ending_) dissolve(batch);
  ending_.clear();
}

double BatchedFlows::usage(ResourceIndex resource) const {
  double sum = 0, greatest = 0;
  for (const ActivityIndex index : batches_[state_.resources[resource].batch].members) {
    const FluidActivity& activity = state_.activities[index];
    for (const Use& use : activity.uses) {
      if (use.resource != resource) continue;
      sum += use.coefficient * activity.rate;
      greatest = std::max(greatest, use.coefficient * activity.rate);
    }
  }
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
  ++round_;
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
  ++round_;
  numbered_.clear();
  std::size_t size = pending_.size();
  for (const ActivityIndex index : pending_) size += state_.activities[index].uses.size();
  words_.resize(size);
  KnownRates::Word* word = words_.data();
  std::uint64_t hash = 1;
  for (const ActivityIndex index : pending_) {
    FluidActivity& activity = state_.activities[index];
    if (activity.shapes != shape_tables_) name_shape(activity, nullptr);
    *word++ = activity.shape;
    hash = mixed(hash, activity.shape);
    for (const Use& use : activity.uses) {
      Mark& at = mark(use.resource);
      if (at.local == LoadTable::nowhere) {
        at.local = static_cast<std::uint32_t>(numbered_.size());
        numbered_.push_back(use.resource);
      }
      *word++ = at.local;
      hash = mixed(hash, at.local);
    }
  }
  return hash ^ hash >> 32;
}

// Nothing: some rates are 0 or infinite.
KnownRates::Solution BatchedFlows::find_solution() {
  if (shapes_.is_full() || known_.is_full()) forget_solutions();
  const std::uint64_t hash = name_set();
  const KnownRates::Solution known = known_.find(words_, hash, pending_.size());
  if (!known.flows.empty()) return known;
  const KnownRates::Solution solution = solve();
  if (!solution.flows.empty()) known_.keep(words_, hash, solution.flows, solution.parts);
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
  for (const ResourceIndex index : numbered_)
    filling_.add_resource(std::min(state_.resources[index].capacity, finite_capacity), divisions_[index]);
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
    solved.limit = filling_.limit(i);
    const double rate = filling_.rate(i);
    solved.level = solved.limit == ProgressiveFilling::by_bound ? rate : filling_.level(solved.limit);
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
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const KnownRates::Flow& solved = known.flows[i];
    FluidActivity& activity = state_.activities[pending_[i]];
    activity.batch = batch_of_part_[solved.part];
    ++activity.batches;
    const bool is_bound = solved.limit == KnownRates::by_bound;
    activity.rate = is_bound || activity.weight == 1 ? solved.level : solved.level / activity.weight;
    activity.limit = is_bound ? FairSharing::by_bound : numbered_[solved.limit];
    activity.since = state_.now;
    for (const Use& use : activity.uses) state_.resources[use.resource].batch = activity.batch;
    const double work = is_bound ? activity.amount : activity.amount * activity.weight;
    activity.end = date_after(state_.now, work <= 0 ? 0 : work / solved.level);
    Batch& batch = batches_[activity.batch];
    if (batch.members.empty() || activity.end < state_.activities[batch.first_to_end].end)
      batch.first_to_end = pending_[i];
    batch.members.push_back(pending_[i]);
  }
  for (const std::uint32_t batch : batch_of_part_) {
    const ActivityIndex first = batches_[batch].first_to_end;
    dates_.set(first, state_.activities[first].end, state_.activities[first].order);
  }
}

}  // namespace rehearse::sharing
