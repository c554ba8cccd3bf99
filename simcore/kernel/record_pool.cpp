// SPDX-License-Identifier: MIT
//
// The pool of activity records, and the reference counts of records.
#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/record_pool.hpp"

namespace rehearse::sim::kernel {
namespace {

constexpr std::size_t records_per_slab = 64;

}  // namespace

ActivityRecord* RecordPool::take() {
  if (free_.empty()) {
    slabs_.push_back(std::make_unique<ActivityRecord[]>(records_per_slab));
    free_.reserve(slabs_.size() * records_per_slab);
    for (std::size_t i = records_per_slab; i-- > 0;) free_.push_back(&slabs_.back()[i]);
  }
  ActivityRecord* record = free_.back();
  free_.pop_back();
  ++in_use_;
  record->pool = this;
  return record;
}

void RecordPool::give_back(ActivityRecord* record) {
  if (record->extras)
    for (const auto& successor : record->extras->successors) std::erase(successor->more().predecessors, record);
  record->~ActivityRecord();
  if (reuses_lowest_) std::memset(static_cast<void*>(record), 0, sizeof *record);
  new (record) ActivityRecord;
  const auto place = reuses_lowest_ ? std::ranges::upper_bound(free_, record, std::greater<>()) : free_.end();
  free_.insert(place, record);
  --in_use_;
  delete_if_idle();
}

void RecordPool::let_go() {
  abandoned_ = true;
  delete_if_idle();
}

void RecordPool::delete_if_idle() {
  if (abandoned_ && in_use_ == 0) delete this;
}

void retain(ActivityRecord* record) { ++record->references; }

void release(ActivityRecord* record) {
  if (--record->references == 0) record->pool->give_back(record);
}

void retain(ActorRecord* record) { ++record->references; }

void release(ActorRecord* record) {
  if (--record->references == 0) delete record;
}

}  // namespace rehearse::sim::kernel
