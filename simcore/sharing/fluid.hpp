// SPDX-License-Identifier: MIT
//
// Activities that take time: a delay during which they use nothing, then an amount of work that
// advances at a fairly shared rate.
//
// Units:   amounts and rates in any unit (bytes and bytes per second, flops and flops per second);
//          dates are integer picoseconds.
// Order:   activities that end at the same date end in the order in which they were started.
// Dates:   every `now` is at least any date given before and at most next_date().
// Errors:  an activity that would end after the range of simulated time never ends: next_date() is
//          then `never` although is_busy(). Indices of activities that are gone are a caller's bug.
// Threads: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "simcore/sharing/fair_sharing.hpp"
#include "simcore/sharing/flow_progress.hpp"
#include "simcore/sharing/indexed_heap.hpp"
#include "simcore/sharing/work_clock.hpp"
#include "simcore/time.hpp"

namespace rehearse::sharing {

using ActivityIndex = std::uint32_t;

// How long work takes that has all that it uses for itself: for a caller that starts the same work again and again and
// keeps this with it. Amount, bound and uses of that work must not change.
class LoneTime {
  friend class Fluid;
  std::uint64_t capacities = 0;  // Fluid's number of changes of them; 0: nothing is known
  Duration duration;
  double rate = 0;
  ResourceIndex limit = 0;
};

struct Work {
  Duration delay;
  double amount = 0;  // of work; 0: ends after the delay
  double weight = 1;  // FairSharing's
  double bound = unbounded;
  std::span<const Use> uses;  // copied; a resource that appears twice counts with the sum
  std::uint32_t clock = plain_time;
  bool is_distinct = false;  // no resource appears twice
  LoneTime* lone = nullptr;
};

// Where an activity is in its life.
enum class Phase { delayed, waiting, flowing, suspended };

class Fluid {
 public:
  // Capacity 0: those who use it stand still.
  ResourceIndex add_resource(double capacity, Division division = Division::shared);
  void set_capacity(ResourceIndex resource, double capacity, TimePoint now);
  double capacity(ResourceIndex resource) const { return resources_[resource].capacity; }
  // At most `limit` flowing activities that count; the others wait in order, their delay paid already.
  // Set before the first use. An activity counts if its coefficient is at least `least`.
  void set_concurrency_limit(ResourceIndex resource, std::uint32_t limit, double least = 1);
  // The capacity that is shared out while so many activities that count flow.
  using CapacityFunction = std::function<double(double capacity, std::uint32_t flows)>;
  void set_capacity_function(ResourceIndex resource, CapacityFunction function, TimePoint now);
  double usage(ResourceIndex resource);  // sum of coefficient*rate now
  std::uint32_t flows(ResourceIndex resource) const { return resources_[resource].flows; }

  // Returns an index that is free again after the activity has ended or was cancelled.
  ActivityIndex start(const Work& work, TimePoint now);
  void cancel(ActivityIndex activity, TimePoint now);
  void suspend(ActivityIndex activity, TimePoint now);  // stops its delay too
  void resume(ActivityIndex activity, TimePoint now);
  void set_weight(ActivityIndex activity, double weight, TimePoint now);
  void set_bound(ActivityIndex activity, double bound, TimePoint now);
  void set_coefficients(ActivityIndex activity, std::span<const Use> uses, TimePoint now);

  Phase phase(ActivityIndex activity) {
    note_begin(activity);
    return activities_[activity].phase;
  }
  double remaining(ActivityIndex activity, TimePoint now);
  double rate(ActivityIndex activity);
  // Why a flowing activity is not faster: its own bound or a full resource.
  struct Limit {
    bool is_bound = false;
    ResourceIndex resource = 0;
  };
  Limit limit(ActivityIndex activity);

  // Clocks must live as long as they are used. Replacing one needs it to be right up to `now`.
  std::uint32_t add_clock(const WorkClock* clock);
  void replace_clock(std::uint32_t index, const WorkClock* clock, TimePoint now);

  // The next date at which something happens inside; `never` if nothing will.
  TimePoint next_date() {
    settle();
    const TimePoint flowing = progress_.first_date();
    return dates_.empty() ? flowing : std::min(dates_.first_date(), flowing);
  }
  // Goes to `now`, at most next_date(), and appends the activities that end there.
  void advance(TimePoint now, std::vector<ActivityIndex>& ended);
  bool is_busy() const { return active_ > 0; }

  // Loads: the watched resources of which the usage or capacity changed since asked last; valid until
  // the next call of anything.
  void watch(ResourceIndex resource);
  std::span<const ResourceIndex> changed();

 private:
  struct Activity {
    double amount = 0;  // while it does not flow
    double weight = 1;
    double bound = unbounded;
    std::uint64_t order = 0;
    std::uint64_t ticket = 0;  // while it waits
    Duration delay;            // left, while suspended
    std::uint32_t clock = plain_time;
    Phase phase = Phase::delayed;
    bool is_alone = false;  // flows, and nobody else uses any of its resources
    // Delayed, and will be alone if nobody comes: `since` is when it begins to flow, its date is that of its end.
    bool is_promised = false;
    double rate = 0;        // while it is alone or promised to be, as are these:
    TimePoint since;        // when `amount` was what was left,
    double reading = 0;     // and what its clock said then
    ResourceIndex limit = 0;
    std::vector<Use> uses;
  };
  // What few resources have.
  struct Gate {
    std::uint32_t limit = ~0u;
    double least = 1;
    CapacityFunction function;
    std::set<std::pair<std::uint64_t, ActivityIndex>> waiting;  // by ticket
    bool is_watched = false;
    bool is_changed = false;
    double reported_usage = 0;
    double reported_capacity = 0;
  };
  static constexpr ActivityIndex nobody = ~0u;
  struct Resource {
    double capacity = 0;
    std::uint32_t flows = 0;
    std::uint32_t sharers = 0;          // activities that flow and are not alone
    ActivityIndex only = nobody;        // the one that is alone here
    std::unique_ptr<Gate> gate;
    bool counts(double coefficient) const { return coefficient >= (gate ? gate->least : 1); }
    bool is_full() const { return gate && flows >= gate->limit; }
  };

  struct Clock {
    const WorkClock* clock = nullptr;
    ActivityIndex only = nobody;  // that is alone and goes by it
  };

  Gate& gate(ResourceIndex resource);
  void go_to(TimePoint now);
  void change(ActivityIndex index, double Activity::*property, double value, TimePoint now);
  void set_uses(ActivityIndex index, std::span<const Use> uses, bool is_distinct);
  void enter(ActivityIndex index);
  bool may_flow(const Activity& activity) const;
  void flow(ActivityIndex index);
  void join(ActivityIndex index);
  bool promise(ActivityIndex index, TimePoint begin, LoneTime* lone);
  void note_begin(ActivityIndex index);
  void resolve(ActivityIndex index);
  bool has_all(const Activity& activity) const;
  bool takes_all(ActivityIndex index);
  void set_lone_rate(Activity& activity) const;
  bool end_promised(TimePoint now, std::vector<ActivityIndex>& ended);
  bool join_alone(ActivityIndex index);
  void join_others(ActivityIndex index);
  double part(ActivityIndex index);
  double left_alone(const Activity& activity) const;
  TimePoint end_alone(const Activity& activity) const;
  void end_solitude(ActivityIndex only);
  void forget_use(ActivityIndex index);
  void leave(ActivityIndex index);
  void stop_waiting(ActivityIndex index);
  void admit(const std::vector<Use>& left);
  void count(ActivityIndex index, int change);
  void release(ActivityIndex index);
  void settle() {
    if (!progress_.is_settled()) settle_progress();
  }
  void settle_progress();

  FlowProgress progress_;
  DateHeap dates_;  // at which delays end, and those who flow alone
  std::vector<Activity> activities_;
  std::vector<Resource> resources_;
  std::vector<Clock> clocks_;
  std::vector<ActivityIndex> free_;
  std::vector<ActivityIndex> ended_;
  std::vector<ActivityIndex> entering_;
  std::vector<ResourceIndex> marked_;
  std::vector<ResourceIndex> changed_;
  std::uint64_t started_ = 0;
  std::uint64_t tickets_ = 0;
  bool has_gates_ = false;
  std::uint64_t capacities_ = 1;  // how often one was set
  std::uint32_t active_ = 0;
  TimePoint now_;
};

}  // namespace rehearse::sharing
