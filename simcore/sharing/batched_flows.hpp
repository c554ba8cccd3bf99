// SPDX-License-Identifier: MIT
//
// The fast path for flows that begin to share at one date: their rates are computed at once, and hold until one of them
// ends or another activity comes. Ranks in step make such batches, and their ends are one date.
//
// Pending: an activity that flows and shares resources is pending until the date is settled. Then the pending ones that
//          share resources only with each other become batches: one for each connected part.
// Batch:   each member has its rate, and the date of its end; the first of these dates is that of the batch. If all
//          members end at one date, that is all. Otherwise, and if anything else changes, the members are pending
//          again: those of a small batch become one again, those of a large one share step by step (FlowProgress).
// Again:   the rates of sets of flows are kept (KnownRates). A set that comes again, perhaps on other resources, costs
//          one comparison.
// Cost:    a small batch has at most 16 members. An activity is in at most two large ones, so a large batch that breaks
//          costs no more than a constant factor.
// Exact:   rates and dates follow from the same operations as those of FlowProgress. A new batch rounds the remaining
//          work of each member once.
// Units:   as Fluid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/sharing/date_heap.hpp"
#include "simcore/sharing/flow_shapes.hpp"
#include "simcore/sharing/fluid_state.hpp"
#include "simcore/sharing/known_rates.hpp"
#include "simcore/sharing/progressive_filling.hpp"
#include "simcore/sharing/uncontended_flows.hpp"

namespace rehearse::sharing {

class BatchedFlows {
 public:
  BatchedFlows(FluidState& state, DateHeap& dates) : state_(state), dates_(dates) {}

  // The division of a resource, in the order of their indices.
  void add_resource(Division division) { divisions_.push_back(division); }
  // The shapes of flows that use the resource are others now.
  void note_capacity_change() {
    ++shape_tables_;
    rest_ = {};
  }
  // Names the shape of a flow that starts. `known`: null, or what is known of equal work.
  void name_shape(FluidActivity& activity, KnownWork* known);

  // Whether the activity can be in a batch: it follows no clock, and its resources have no gate.
  bool accepts(const FluidActivity& activity) const;

  // ---- an activity that flows
  // It shares resources from now on, and is pending.
  void add(ActivityIndex index);
  bool is_here(ActivityIndex index) const { return state_.activities[index].batch != no_batch; }
  // It stops flowing. Its batch must not be used any more unless all of it ends: see end().
  void remove(ActivityIndex index);
  // Of a member of a batch.
  double remaining(const FluidActivity& activity, TimePoint date) const;

  // ---- a change
  // The members of the batch that uses the resource are pending again.
  void dissolve_at(ResourceIndex resource) {
    if (const std::uint32_t batch = state_.resources[resource].batch; batch != no_batch) dissolve(batch);
  }
  void dissolve_with(ActivityIndex index) {
    if (state_.activities[index].batch != pending_batch) dissolve(state_.activities[index].batch);
  }

  bool has_pending() const { return !pending_.empty(); }
  std::span<const ActivityIndex> pending() const { return pending_; }
  // Makes batches of the pending activities. Returns the ones that cannot be in a batch, which are removed; valid until
  // the next call. `is_alone`: nothing shares step by step, and no resource has a gate.
  std::span<const ActivityIndex> place(bool is_alone);

  // Appends the members of its batch that end now. Requires: the activity is in a batch, and in its heap of dates.
  void take_due(ActivityIndex first, std::vector<ActivityIndex>& due) const;
  // A member ends now. Call it for all that end at the date, then break_ended().
  void end(ActivityIndex index);
  // Breaks the batches of which only a part has ended.
  void break_ended();

  // Sum of coefficient*rate at a resource that a batch uses. Requires: nothing is pending.
  double usage(ResourceIndex resource) const;

 private:
  struct Batch {
    std::uint32_t size = 0;             // members, with those that end now, in the order of their starts:
    ActivityIndex first = 0, last = 0;  // FluidActivity::next_in_batch leads from one to the next
    ActivityIndex first_to_end = 0;     // only this one is in dates_
    KnownRates::Place set = 0;          // of which it is a part; 0: not known
    std::uint32_t table = 0;            // shape_tables_ when the set was found
    std::uint32_t ended = 0;            // so many members end now
    KnownRates::Ending ending;          // the last of them
  };
  // What is left of a part of a set.
  struct Rest {
    KnownRates::Place set = 0;  // 0: the pending activities are not just the rest of a part
    KnownRates::Ending ending;
  };
  struct Mark {
    std::uint64_t round = 0;  // of the others below
    std::uint32_t part = 0;   // of the set, by the first flow there
    std::uint32_t local = 0;  // number in the set
    bool is_taken = false;    // by a pending activity that cannot be in a batch
  };

  void dissolve(std::uint32_t batch);
  void add_member(Batch& batch, ActivityIndex index);
  template <typename Visit>
  void for_each_member(const Batch& batch, const Visit& visit) const {
    ActivityIndex index = batch.first;
    for (std::uint32_t i = 0; i < batch.size; ++i, index = state_.activities[index].next_in_batch) visit(index);
  }
  void forget(std::uint32_t batch);
  void forget_dates();
  void set_apart_others();
  bool touches_others(const FluidActivity& activity);
  KnownRates::Solution find_solution();
  KnownRates::Solution find_described();
  std::uint64_t name_set();
  KnownRates::Word* room_for_words(std::size_t used, std::size_t more);
  void forget_solutions();
  KnownRates::Solution solve();
  std::uint32_t find_use(const FluidActivity& activity, std::uint32_t local);
  void describe();
  std::uint32_t root_of(std::uint32_t flow);
  // Of this round. Requires: begin_round() was called.
  void begin_round() {
    ++round_;
    if (marks_.size() < divisions_.size()) marks_.resize(divisions_.size());
  }
  Mark& mark(ResourceIndex resource) {
    Mark& mark = marks_[resource];
    if (mark.round != round_) mark = {round_, LoadTable::nowhere, LoadTable::nowhere, false};
    return mark;
  }
  void begin_batches(const KnownRates::Solution& known);
  std::uint32_t make_batch();

  FluidState& state_;
  DateHeap& dates_;
  std::vector<Division> divisions_;
  std::vector<ActivityIndex> pending_;
  Rest rest_;  // what the pending activities are
  std::vector<ActivityIndex> others_;
  std::vector<ActivityIndex> dated_;  // pending ones that are in dates_, because a batch of theirs had the date
  bool has_worn_ = false;             // some activity may have been in as many large batches as it can
  std::vector<Batch> batches_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> ending_;
  FlowShapes shapes_;
  std::uint32_t shape_tables_ = 1;  // changes when shapes get new numbers
  KnownRates known_;
  // Of place():
  std::vector<Mark> marks_;  // by resource
  std::uint64_t round_ = 0;
  std::vector<std::uint32_t> roots_;  // by flow of the set: another flow of its part
  std::vector<std::uint32_t> batch_of_part_;
  std::span<const KnownRates::Word> words_;  // of the set, in word_room_
  std::vector<KnownRates::Word> word_room_;
  std::vector<KnownRates::Flow> solved_;  // by solve()
  ProgressiveFilling filling_;
};

}  // namespace rehearse::sharing
