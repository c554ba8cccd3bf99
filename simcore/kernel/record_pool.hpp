// SPDX-License-Identifier: MIT
//
// A pool of reusable activity records.
//
// Ownership: the pool owns its records. After let_go(), it deletes itself when the last record is given back.
// Threads:   none.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

// The pool may live longer than the kernel: until the last record is given back.
class RecordPool {
 public:
  ActivityRecord* take();
  void give_back(ActivityRecord* record);
  void let_go();  // the kernel is being destroyed

 private:
  ~RecordPool() = default;
  void delete_if_idle();
  std::vector<std::unique_ptr<ActivityRecord[]>> slabs_;
  std::vector<ActivityRecord*> free_;
  std::size_t in_use_ = 0;
  bool abandoned_ = false;
};

}  // namespace rehearse::sim::kernel
