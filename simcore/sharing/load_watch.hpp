// SPDX-License-Identifier: MIT
//
// The loads of watched resources, for observers. Watching changes no rate and no date: see Fluid.
//
// Meter:   a resource that limits nothing and only sums the rates of the activities that pass it. It is not among the
//          uses of an activity, so that activities that meet only there are uncontended.
// Dates:   a precomputed activity begins to flow between two events. Its load has the date of its begin.
// Cost:    nothing while no resource is watched. A meter is summed again whenever the rate of an activity that passes
//          it may have changed.
// Units:   as Fluid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/sharing/batched_flows.hpp"
#include "simcore/sharing/flow_progress.hpp"
#include "simcore/sharing/fluid_state.hpp"

namespace rehearse::sharing {

// The usage of a resource from a date on: the sum of coefficient*rate; of a fatpipe the greatest.
struct LoadChange {
  ResourceIndex resource = 0;
  double usage = 0;
  TimePoint from;
};

class LoadWatch {
 public:
  LoadWatch(const FluidState& state, const FlowProgress& progress, const BatchedFlows& batches)
      : state_(state), progress_(progress), batches_(batches) {}

  void watch(ResourceIndex resource);
  void make_meter(ResourceIndex resource);
  bool is_on() const { return !watched_.empty(); }

  // ---- changes
  void enter(ActivityIndex index);   // it passes its meters from now on
  void leave(ActivityIndex index);   // until now
  void expect(ActivityIndex index);  // it is precomputed
  // The usage of what it uses and passes may have changed.
  void note(ActivityIndex index);
  // The usage or capacity of the resource may have changed.
  void note_resource(ResourceIndex resource);
  // FlowProgress has new rates.
  void note_rates();

  // ---- results. They require that nothing is pending, and that FlowProgress is settled.
  // At the present date, or at a later one before the next event.
  double usage(ResourceIndex resource, TimePoint date) const;
  // Watched resources whose usage or capacity differs from the last result: at the present date, then at later dates
  // before `until`. In the order of dates; valid until the next call.
  std::span<const LoadChange> changed(TimePoint until);

 private:
  struct Watched {
    bool is_watched = false;
    bool is_meter = false;
    bool is_marked = false;
    double usage = 0;  // as in the last result
    double capacity = 0;
    std::vector<ActivityIndex> users;  // of a meter
  };
  struct Begin {
    TimePoint date;
    std::uint64_t order = 0;  // of the activity
    ActivityIndex activity = 0;
    bool operator<(const Begin& other) const {  // the earliest is the greatest in the heap
      return date != other.date ? date > other.date : order > other.order;
    }
  };

  Watched& make_watched(ResourceIndex resource);
  bool flows(const FluidActivity& activity, TimePoint date) const {
    return activity.phase == Phase::flowing || (activity.is_precomputed && date >= activity.since);
  }
  double rate(ActivityIndex index) const;
  double metered(const Watched& meter, ResourceIndex resource, TimePoint date) const;
  void note_begins(TimePoint until);
  void take_marked(TimePoint date);

  const FluidState& state_;
  const FlowProgress& progress_;
  const BatchedFlows& batches_;
  std::vector<Watched> watched_;  // by resource
  std::vector<ResourceIndex> meters_;
  std::vector<ResourceIndex> marked_;
  std::vector<Begin> begins_;  // a heap, of precomputed activities
  std::vector<LoadChange> changed_;
};

}  // namespace rehearse::sharing
