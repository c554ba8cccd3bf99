// SPDX-License-Identifier: MIT
//
// The life of activities: starts, waits, ends, cancellations.
//
// Ownership: this object holds the activities that are posted or in progress; any other user of one holds a Reference.
// Errors:    wait() and throw_if_failed() throw the failure of the activity.
#pragma once

#include <cstdint>

#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

// `before` must finish before `after` starts. The caller makes sure that there is no cycle.
void link(ActivityRecord& before, ActivityRecord& after);
void unlink(ActivityRecord& before, ActivityRecord& after);
bool is_before(const ActivityRecord& first, const ActivityRecord& second);  // also through other activities

class Activities {
 public:
  explicit Activities(Kernel& kernel);
  ~Activities();
  Activities(const Activities&) = delete;
  Activities& operator=(const Activities&) = delete;

  ActivityRecord* make(ActivityKind kind);

  void request_start(ActivityRecord& activity);
  void try_start(ActivityRecord& activity);  // if its start was requested and is possible
  void launch(ActivityRecord& activity);     // now; requires: it is tracked and its resources are known
  void track(ActivityRecord& activity);      // it is posted or begins: enters the lists of its owners and of the kernel
  void untrack(ActivityRecord& activity);

  bool wait(ActivityRecord& activity, TimePoint limit);  // false: the limit was reached
  void throw_if_failed(const ActivityRecord& activity) const;

  void finish(ActivityRecord& activity, ActivityState state, Failure failure);
  void cancel(ActivityRecord& activity, ActivityState state, Failure failure);  // in any state
  void suspend(ActivityRecord& activity);
  void resume(ActivityRecord& activity);

  void cancel_all();
  void host_went_off(HostId host);  // activities that have begun and need it fail
  bool only_daemons_work() const;   // each activity in progress was begun by an actor
  ListNode& in_progress() { return in_progress_; }
  const RecordPool& pool() const { return *pool_; }
  std::uint64_t next_search() { return ++searches_; }

 private:
  void complete_code(ActivityRecord& activity, ActivityState& state, Failure& failure);
  void release_successors(ActivityRecord& activity);

  Kernel& kernel_;
  RecordPool* pool_;  // lives until the last record is gone
  ListNode in_progress_;
  std::uint64_t searches_ = 0;
};

}  // namespace rehearse::sim::kernel
