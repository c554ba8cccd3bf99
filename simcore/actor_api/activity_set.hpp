// SPDX-License-Identifier: MIT
//
// A set of activities, for waiting for one or all of them.
//
// Order:  wait_any and test_any give activities in the order in which they ended.
// Errors: an activity that failed leaves the set, is kept as failed_activity(), and its exception is thrown.
// Cost:   wait_any does not depend on the number of activities in the set.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <vector>

#include "simcore/actor_api/activity.hpp"

namespace rehearse::sim {

namespace kernel {
struct SetRecord;
}

class ActivitySet {
 public:
  ActivitySet();
  ActivitySet(std::initializer_list<Activity> activities);
  explicit ActivitySet(const std::vector<Activity>& activities);
  ~ActivitySet();
  ActivitySet(ActivitySet&&) noexcept;
  ActivitySet& operator=(ActivitySet&&) noexcept;

  void push(const Activity& activity);
  void erase(const Activity& activity);
  void clear();
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  std::vector<Activity> activities() const;  // ended ones first

  // Waits until one has ended and removes it from the set. BadUse if the set is empty.
  Activity wait_any();
  Activity wait_any_for(double seconds);  // TimeoutError
  Activity test_any();                    // an ended activity, or none

  // Waits until all have ended. The set is then empty.
  void wait_all();
  void wait_all_for(double seconds);  // TimeoutError; ended activities have left the set

  Activity failed_activity();  // the last failed activity, returned once; or none
  bool has_failed_activity() const;

 private:
  std::unique_ptr<kernel::SetRecord> record_;
};

}  // namespace rehearse::sim
