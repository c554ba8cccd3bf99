// SPDX-License-Identifier: MIT
//
// Activities that take time: a delay during which they use no resource, then an amount of work that advances at a
// fairly shared rate.
//
// Units:   amounts and rates in any unit (bytes and bytes per second, flops and flops per second);
//          dates are integer picoseconds.
// Order:   activities that end at the same date end in the order in which they were started.
// Dates:   every `now` is at least any date given before and at most next_date().
// Observing: watched resources and meters (LoadWatch) change no rate and no date.
// Errors:  an activity that would end after the range of simulated time never ends: next_date() is then `never`
//          although is_busy(). The index of an activity that no longer exists is a caller's bug.
// Threads: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "simcore/sharing/admission.hpp"
#include "simcore/sharing/batched_flows.hpp"
#include "simcore/sharing/date_heap.hpp"
#include "simcore/sharing/fair_sharing.hpp"
#include "simcore/sharing/flow_progress.hpp"
#include "simcore/sharing/fluid_state.hpp"
#include "simcore/sharing/load_watch.hpp"
#include "simcore/sharing/uncontended_flows.hpp"
#include "simcore/sharing/work_clock.hpp"
#include "simcore/time.hpp"

namespace rehearse::sharing {

struct Work {
  Duration delay;
  double amount = 0;  // of work; 0: ends after the delay
  double weight = 1;  // FairSharing's
  double bound = unbounded;
  std::span<const Use> uses;  // copied; a resource that appears twice counts with the sum
  std::uint32_t clock = plain_time;
  bool is_distinct = false;          // no resource appears twice
  KnownWork* known = nullptr;        // of the caller, who keeps it for equal work
  std::span<const Use> meters = {};  // copied; no meter appears twice
};

class Fluid {
 public:
  using CapacityFunction = FlowCapacityFunction;

  Fluid() = default;
  Fluid(const Fluid&) = delete;  // its parts have references to its state
  Fluid& operator=(const Fluid&) = delete;

  // Capacity 0: the activities that use the resource stand still.
  ResourceIndex add_resource(double capacity, Division division = Division::shared);
  // A watched resource that only sums the rates of the activities that pass it. It must not be among their uses.
  ResourceIndex add_meter();
  void set_capacity(ResourceIndex resource, double capacity, TimePoint now);
  double capacity(ResourceIndex resource) const { return state_.resources[resource].capacity; }
  // At most `limit` activities that count flow at once; the others wait in order after their delay. Set it before the
  // first use. An activity counts if its coefficient is at least `least`.
  void set_concurrency_limit(ResourceIndex resource, std::uint32_t limit, double least = 1);
  void set_capacity_function(ResourceIndex resource, CapacityFunction function, TimePoint now);
  // The same before the first use of the resource.
  void set_capacity_function(ResourceIndex resource, CapacityFunction function);
  double usage(ResourceIndex resource);  // sum of coefficient*rate now; of a fatpipe the greatest
  std::uint32_t flows(ResourceIndex resource) const { return state_.resources[resource].flows; }

  // Returns an index, which is free again when the activity has ended or was cancelled.
  ActivityIndex start(const Work& work, TimePoint now);
  void cancel(ActivityIndex activity, TimePoint now);
  void suspend(ActivityIndex activity, TimePoint now);  // stops its delay too
  void resume(ActivityIndex activity, TimePoint now);
  void set_weight(ActivityIndex activity, double weight, TimePoint now);
  void set_bound(ActivityIndex activity, double bound, TimePoint now);
  void set_coefficients(ActivityIndex activity, std::span<const Use> uses, std::span<const Use> meters, TimePoint now);

  Phase phase(ActivityIndex activity) {
    uncontended_.note_begin(activity);
    return state_.activities[activity].phase;
  }
  double remaining(ActivityIndex activity, TimePoint now);
  // The same at the present date, or at a later one up to next_date(), and changes nothing. For a later date,
  // next_date() must have been called since the last change.
  double remaining_at(ActivityIndex activity, TimePoint date) const;
  double rate(ActivityIndex activity);
  // The limit of the rate of a flowing activity: its own bound, or a full resource.
  struct Limit {
    bool is_bound = false;
    ResourceIndex resource = 0;
  };
  Limit limit(ActivityIndex activity);

  // A clock must live as long as it is used. It must be right up to `now` when it is replaced.
  std::uint32_t add_clock(const WorkClock* clock);
  void replace_clock(std::uint32_t index, const WorkClock* clock, TimePoint now);

  // The date of the next internal event; `never` if there is none.
  TimePoint next_date() {
    settle();
    const TimePoint flowing = progress_.first_date();
    return dates_.empty() ? flowing : std::min(dates_.first_date(), flowing);
  }
  // Goes to `now`, at most next_date(), and appends the activities that end there.
  void advance(TimePoint now, std::vector<ActivityIndex>& ended);
  bool is_busy() const { return active_ > 0; }

  void watch(ResourceIndex resource) { loads_.watch(resource); }
  // The watched resources whose usage or capacity differs from the last result: now, then at dates before `until`, at
  // most next_date(), at which a delay ends that is no event. Valid until the next call of any function.
  std::span<const LoadChange> changed(TimePoint until = {});

 private:
  void go_to(TimePoint now);
  void change(ActivityIndex index, double FluidActivity::*property, double value, TimePoint now);
  void set_uses(ActivityIndex index, std::span<const Use> uses, bool is_distinct);
  void set_meters(ActivityIndex index, std::span<const Use> meters);
  FluidGate& gate(ResourceIndex resource);
  void enter(ActivityIndex index, bool has_company = false);
  void flow(ActivityIndex index, bool has_company = false);
  bool meet(ActivityIndex one, ActivityIndex other) const;
  void join(ActivityIndex index, bool has_company = false);
  void join_others(ActivityIndex index);
  void share(ActivityIndex index);
  void leave_fast_path(ActivityIndex sole_user);
  double part(ActivityIndex index);
  void forget_use(ActivityIndex index);
  void leave(ActivityIndex index);
  void admit(const std::vector<Use>& released);
  void count(ActivityIndex index, int change);
  void count_at_gates(ActivityIndex index, int change);
  void release(ActivityIndex index);
  void sort_by_start(std::vector<ActivityIndex>& indices) const;
  bool end_precomputed(TimePoint now, std::vector<ActivityIndex>& ended);
  void settle() {
    if (batches_.has_pending()) place_pending();
    if (!progress_.is_settled()) settle_progress();
  }
  void place_pending();
  void settle_progress();

  FluidState state_;
  FlowProgress progress_;
  DateHeap dates_;  // of ends of delays, of uncontended flows and of those in batches
  UncontendedFlows uncontended_{state_, dates_};
  BatchedFlows batches_{state_, dates_};
  Admission admission_{state_};
  LoadWatch loads_{state_, progress_, batches_};
  std::vector<ActivityIndex> free_;
  std::vector<ActivityIndex> due_;
  std::vector<ActivityIndex> ended_;
  std::vector<ActivityIndex> entering_;
  std::uint64_t started_ = 0;
  std::uint32_t active_ = 0;
};

}  // namespace rehearse::sharing
