// SPDX-License-Identifier: MIT
//
// A pool of reusable activity records.
//
// Ownership: the pool owns its records. After let_go(), it deletes itself when the last record is given back.
// Threads:   none.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

// The pool may live longer than the kernel: until the last record is given back.
class RecordPool {
 public:
  // `reuses_lowest`: the free record with the lowest address is taken next, and free records are zero. So their state
  // depends only on which ones are free.
  explicit RecordPool(bool reuses_lowest) : reuses_lowest_(reuses_lowest) {}
  ActivityRecord* take();
  void give_back(ActivityRecord* record);
  void let_go();  // the kernel is being destroyed
  // The memory of the list of free records that is not used now.
  std::pair<const void*, const void*> spare() const {
    return {free_.data() + free_.size(), free_.data() + free_.capacity()};
  }

 private:
  ~RecordPool() = default;
  void delete_if_idle();
  std::vector<std::unique_ptr<ActivityRecord[]>> slabs_;
  std::vector<ActivityRecord*> free_;
  std::size_t in_use_ = 0;
  bool reuses_lowest_;
  bool abandoned_ = false;
};

}  // namespace rehearse::sim::kernel
