// SPDX-License-Identifier: MIT
//
// Records of activities that are used again.
//
// Ownership: the pool owns its records, and deletes itself after the last of them came back.
// Threads:   none.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

// Records that are used again. Lives until the last of them is gone, which may be after the kernel.
class RecordPool {
 public:
  ActivityRecord* take();
  void give_back(ActivityRecord* record);
  void let_go();  // the kernel is going away

 private:
  ~RecordPool() = default;
  void delete_if_idle();
  std::vector<std::unique_ptr<ActivityRecord[]>> slabs_;
  std::vector<ActivityRecord*> free_;
  std::size_t in_use_ = 0;
  bool abandoned_ = false;
};

}  // namespace rehearse::sim::kernel
