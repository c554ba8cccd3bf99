// SPDX-License-Identifier: MIT
//
// See slot_table.hpp.
#include "simcore/cost/slot_table.hpp"

#include <algorithm>

#include "simcore/cost/use_meter.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::cost {

std::uint32_t SlotTable::make(SlotKind kind, std::uint32_t subject) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  slots_[index] = Slot{};
  slots_[index].kind = kind;
  slots_[index].subject = subject;
  ++active_;
  return index;
}

void SlotTable::release(std::uint32_t index) {
  slots_[index].kind = SlotKind::free;
  slots_[index].is_failed = false;
  free_.push_back(index);
  --active_;
}

Slot& SlotTable::of(ActivityId activity) {
  REHEARSE_ASSERT(activity.value < slots_.size(), "an activity that was started");
  Slot& slot = slots_[activity.value];
  REHEARSE_ASSERT(slot.kind != SlotKind::free, "an activity that has not ended");
  return slot;
}

void SlotTable::open(std::uint32_t index, const sharing::Work& work, TimePoint now) {
  const sharing::ActivityIndex activity = fluid_.start(work, now);
  slots_[index].activity = activity;
  if (activity >= slot_of_activity_.size()) slot_of_activity_.resize(activity + 1);
  slot_of_activity_[activity] = index;
  if (meter_ != nullptr) meter_->open(index, work, now);
}

void SlotTable::close(std::uint32_t index, TimePoint now) {
  Slot& slot = slots_[index];
  if (slot.activity == none) return;
  if (meter_ != nullptr) meter_->close(index, now);
  fluid_.cancel(slot.activity, now);
  slot.activity = none;
}

void SlotTable::change(std::uint32_t index, std::span<const sharing::Use> uses, std::span<const sharing::Use> meters,
                       TimePoint now) {
  if (meter_ != nullptr) meter_->settle(index, now);
  fluid_.set_coefficients(slots_[index].activity, uses, meters, now);
  if (meter_ != nullptr) meter_->change(index, uses, meters, now);
}

void SlotTable::enlist(std::uint32_t index, std::uint32_t& head) {
  Slot& slot = slots_[index];
  slot.next = head;
  slot.previous = none;
  if (head != none) slots_[head].previous = index;
  head = index;
}

void SlotTable::unlist(std::uint32_t index, std::uint32_t& head) {
  const Slot& slot = slots_[index];
  (slot.previous == none ? head : slots_[slot.previous].next) = slot.next;
  if (slot.next != none) slots_[slot.next].previous = slot.previous;
}

std::vector<std::uint32_t> SlotTable::listed(std::uint32_t first) const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = first; i != none; i = slots_[i].next) all.push_back(i);
  std::reverse(all.begin(), all.end());
  return all;
}

void SlotTable::note_failure(std::uint32_t index) {
  slots_[index].is_failed = true;
  failed_.push_back(index);
}

void SlotTable::report_failures(std::vector<Ended>& ended) {
  for (const std::uint32_t index : failed_) {
    ended.push_back({{index}, true});
    release(index);
  }
  failed_.clear();
}

}  // namespace rehearse::cost
