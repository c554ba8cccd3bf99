// SPDX-License-Identifier: MIT
//
// See activity_cost.hpp.
#include "simcore/kernel/activity_cost.hpp"

#include "simcore/support/assert.hpp"

namespace rehearse::sim::kernel {
namespace {

Transfer transfer_of(const ActivityRecord& activity) {
  Transfer transfer{activity.host, activity.destination, activity.amount, activity.limit};
  transfer.category = activity.category;
  return transfer;
}

}  // namespace

std::optional<ActivityId> start_cost(CostModel& costs, const ActivityRecord& activity, TimePoint now) {
  switch (activity.kind) {
    case ActivityKind::comm: return costs.start(transfer_of(activity), now);
    case ActivityKind::exec:
      if (activity.is_parallel) {
        const ActivityExtras& task = *activity.extras;
        return costs.start(ParallelTask{task.hosts, task.flops, task.bytes, activity.limit, activity.category}, now);
      }
      return costs.start(Computation{activity.host, activity.amount, activity.threads, activity.limit,
                                     activity.priority, activity.category},
                         now);
    case ActivityKind::io: {
      if (!activity.is_stream)
        return costs.start(DiskAccess{activity.disk, activity.is_write, activity.amount, activity.priority}, now);
      Transfer stream = transfer_of(activity);
      if (activity.reads_disk) stream.read_from = activity.disk;
      if (activity.writes_disk) stream.write_to = activity.target_disk;
      return costs.start(stream, now);
    }
    case ActivityKind::mess:
    case ActivityKind::pause: break;
  }
  internal_error(__FILE__, __LINE__, "kind", "an activity that has no cost");
}

}  // namespace rehearse::sim::kernel
