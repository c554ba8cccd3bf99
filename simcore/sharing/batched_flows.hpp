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
// Again:   the rates of sets of flows are kept. A set that comes again costs a comparison.
// Cost:    a small batch has at most 12 members. An activity is in at most two large ones, so a large batch that breaks
//          costs no more than a constant factor.
// Exact:   rates and dates follow from the same operations as those of FlowProgress. A new batch rounds the remaining
//          work of each member once.
// Units:   as Fluid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/sharing/fluid_state.hpp"
#include "simcore/sharing/indexed_heap.hpp"
#include "simcore/sharing/progressive_filling.hpp"

namespace rehearse::sharing {

class BatchedFlows {
 public:
  BatchedFlows(FluidState& state, DateHeap& dates) : state_(state), dates_(dates) {}

  // The division of a resource, in the order of their indices.
  void add_resource(Division division) { divisions_.push_back(division); }
  void note_capacity_change() { ++capacities_; }

  // Whether the activity can be in a batch: it follows no clock, and its resources have no gate.
  bool accepts(const FluidActivity& activity) const;

  // ---- an activity that flows
  // It shares resources from now on, and is pending.
  void add(ActivityIndex index);
  bool is_here(ActivityIndex index) const { return state_.activities[index].batch != no_batch; }
  // It stops flowing. Its batch must not be used any more unless all of it ends: see end().
  void remove(ActivityIndex index);
  // Of a member of a batch.
  double remaining(const FluidActivity& activity) const;

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
    std::vector<ActivityIndex> members;  // in the order of their starts
    ActivityIndex first_to_end = 0;      // only this one is in dates_
    bool is_ending = false;              // in ending_
  };
  struct Solved {
    double level = 0;  // of the limit
    double rate = 0;
    ResourceIndex limit = 0;
    std::uint32_t part = 0;   // the connected part of the set
    std::uint32_t shape = 0;  // see shape_of()
  };
  // The solution of a set of flows.
  struct Known {
    std::uint64_t capacities = 0;  // 0: nothing
    std::vector<Solved> flows;
    std::uint32_t parts = 0;
  };
  // A weight, a bound and uses that flows have. Sets of flows are compared by the numbers of their shapes.
  struct Shape {
    std::uint64_t hash = 0;
    double weight = 1;
    double bound = unbounded;
    std::uint32_t first = 0;  // in shape_uses_
    std::uint32_t uses = 0;
  };
  struct Mark {
    std::uint64_t round = 0;  // of the others below
    std::uint32_t part = 0;   // of the set, by the first flow there
    std::uint32_t local = 0;  // index in the system that is filled
    bool is_taken = false;    // by a pending activity that cannot be in a batch
  };

  void dissolve(std::uint32_t batch);
  void forget(std::uint32_t batch);
  void set_apart_others();
  bool touches_others(const FluidActivity& activity);
  bool has_shape(const FluidActivity& activity, const Shape& shape) const;
  std::uint32_t shape_of(const FluidActivity& activity);
  void grow_shapes();
  std::uint64_t name_shapes();
  bool is_of_pending(const Known& known) const;
  const Known* find_solution();
  void forget_solutions();
  bool solve(Known& known);
  void describe();
  std::uint32_t root_of(std::uint32_t flow);
  Mark& mark(ResourceIndex resource) {
    if (resource >= marks_.size()) marks_.resize(divisions_.size());
    Mark& mark = marks_[resource];
    if (mark.round != round_) mark = {round_, LoadTable::nowhere, LoadTable::nowhere, false};
    return mark;
  }
  void begin_batches(const Known& known);
  std::uint32_t make_batch();

  static constexpr std::size_t known_sets = 4096;           // a power of two
  static constexpr std::size_t largest_known = 1024;        // flows of a set in known_
  static constexpr std::size_t most_kept_flows = 1u << 18;  // of all sets in known_
  static constexpr std::size_t most_shapes = 1u << 16;

  FluidState& state_;
  DateHeap& dates_;
  std::vector<Division> divisions_;
  std::vector<ActivityIndex> pending_;
  std::vector<ActivityIndex> others_;
  bool has_worn_ = false;  // some activity may have been in as many large batches as it can
  std::vector<Batch> batches_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> ending_;
  std::vector<Known> known_;      // by hash
  Known largest_;                 // the last set that is too large for known_
  std::size_t kept_flows_ = 0;    // at most so many
  std::uint64_t capacities_ = 1;  // number of changes of a capacity, plus 1
  std::vector<Shape> shapes_;     // number n is shapes_[n - 1]
  std::vector<Use> shape_uses_;
  std::vector<std::uint32_t> shape_places_;  // numbers by hash, with linear probing; 0: none
  std::uint32_t shape_tables_ = 1;           // so many tables of shapes there were
  // Of place():
  std::vector<Mark> marks_;  // by resource
  std::uint64_t round_ = 0;
  std::vector<std::uint32_t> roots_;  // by flow of the set: another flow of its part
  std::vector<std::uint32_t> batch_of_part_;
  std::vector<ResourceIndex> filled_;
  ProgressiveFilling filling_;
};

}  // namespace rehearse::sharing
