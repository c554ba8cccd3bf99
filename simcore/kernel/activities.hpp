// SPDX-License-Identifier: MIT
//
// The life of activities: started when they can be, waited for, finished, cancelled.
//
// Ownership: what is posted or in progress is held here; whoever names one holds a Reference.
// Errors:    wait() and throw_if_failed() throw what went wrong with the activity.
#pragma once

#include <cstdint>

#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

// The first must finish before the second starts. Nobody checks here that there is no circle.
void link(ActivityRecord& before, ActivityRecord& after);
void unlink(ActivityRecord& before, ActivityRecord& after);
bool is_before(const ActivityRecord& first, const ActivityRecord& second);  // also by way of others

class Activities {
 public:
  explicit Activities(Kernel& kernel);
  ~Activities();
  Activities(const Activities&) = delete;
  Activities& operator=(const Activities&) = delete;

  ActivityRecord* make(ActivityKind kind);

  void request_start(ActivityRecord& activity);
  void try_start(ActivityRecord& activity);  // if it wants to, and can
  void launch(ActivityRecord& activity);     // now; requires: tracked, its resources are known
  void track(ActivityRecord& activity);      // it is posted or begins: owners and kernel know of it
  void untrack(ActivityRecord& activity);

  bool wait(ActivityRecord& activity, TimePoint limit);  // false: the date came
  void throw_if_failed(const ActivityRecord& activity) const;

  void finish(ActivityRecord& activity, ActivityState state, Failure failure);
  void cancel(ActivityRecord& activity, ActivityState state, Failure failure);  // whatever it is doing
  void suspend(ActivityRecord& activity);
  void resume(ActivityRecord& activity);

  void cancel_all();
  void host_went_off(HostId host);  // what has begun and needs it fails
  bool only_daemons_work() const;   // nothing is in progress but what some actor has begun
  std::uint64_t next_search() { return ++searches_; }

 private:
  void release_successors(ActivityRecord& activity);

  Kernel& kernel_;
  RecordPool* pool_;  // lives until the last record is gone
  ListNode in_progress_;
  std::uint64_t searches_ = 0;
};

}  // namespace rehearse::sim::kernel
