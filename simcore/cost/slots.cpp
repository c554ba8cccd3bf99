// SPDX-License-Identifier: MIT
//
// The activities of the cost model: where they are kept, and how they end.
#include <algorithm>

#include "simcore/cost/shared_cost_model.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::cost {

std::uint32_t SharedCostModel::make_slot(Kind kind, std::uint32_t subject) {
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

SharedCostModel::Slot& SharedCostModel::slot_of(ActivityId activity) {
  REHEARSE_ASSERT(activity.value < slots_.size(), "an activity that was started");
  Slot& slot = slots_[activity.value];
  REHEARSE_ASSERT(slot.kind != Kind::free, "an activity that has not ended");
  return slot;
}

std::uint32_t& SharedCostModel::head_of(const Slot& slot) {
  switch (slot.kind) {
    case Kind::transfer:
    case Kind::message: return paths_[slot.subject].first_transfer;
    case Kind::computation: return hosts_[HostId{slot.subject}].first_computation;
    default: return disks_.first_access(DiskId{slot.subject});
  }
}

// Into the list of its subject. The path of a transfer is kept.
void SharedCostModel::attach(std::uint32_t index) {
  Slot& slot = slots_[index];
  enlist(index, head_of(slot));
  if (slot.kind == Kind::transfer || slot.kind == Kind::message) keep_path(slot.subject, now_);
}

void SharedCostModel::enlist(std::uint32_t index, std::uint32_t& head) {
  Slot& slot = slots_[index];
  slot.next = head;
  slot.previous = none;
  if (head != none) slots_[head].previous = index;
  head = index;
}

void SharedCostModel::detach(std::uint32_t index) {
  Slot& slot = slots_[index];
  if (slot.kind == Kind::task) return end_task(index);
  (slot.previous == none ? head_of(slot) : slots_[slot.previous].next) = slot.next;
  if (slot.next != none) slots_[slot.next].previous = slot.previous;
  if (slot.kind == Kind::computation) {
    compute::HostState& host = hosts_[HostId{slot.subject}];
    if (slot.is_bounded) --host.bounded;
    if (host.has_clock && host.first_computation == none)
      hosts_.forget(HostId{slot.subject}, now_);
  } else if (slot.kind == Kind::transfer || slot.kind == Kind::message) {
    leave_path(slot.subject);
    if (!streams_.empty()) streams_.erase(index);
  }
  slot.is_bounded = false;
}

void SharedCostModel::open(std::uint32_t index, const sharing::Work& work, TimePoint now) {
  const sharing::ActivityIndex activity = activities_.start(work, now);
  slots_[index].activity = activity;
  if (activity >= slot_of_activity_.size()) slot_of_activity_.resize(activity + 1);
  slot_of_activity_[activity] = index;
}

void SharedCostModel::close(std::uint32_t index, TimePoint now) {
  Slot& slot = slots_[index];
  if (slot.activity != none) activities_.cancel(slot.activity, now);
  slot.activity = none;
}

// It will be reported by the next advance().
void SharedCostModel::fail(std::uint32_t index, TimePoint now) {
  close(index, now);
  detach(index);
  slots_[index].is_failed = true;
  failed_.push_back(index);
}

// All of a list, in the order in which they were started.
void SharedCostModel::fail_list(std::uint32_t first, TimePoint now) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = first; i != none; i = slots_[i].next) all.push_back(i);
  std::reverse(all.begin(), all.end());
  for (const std::uint32_t index : all) fail(index, now);
}

void SharedCostModel::release(std::uint32_t index) {
  slots_[index].kind = Kind::free;
  slots_[index].is_failed = false;
  free_.push_back(index);
  --active_;
}

void SharedCostModel::cancel(ActivityId activity, TimePoint now) {
  go_to(now);
  Slot& slot = slot_of(activity);
  if (slot.is_failed) {  // reported to nobody
    std::erase(failed_, activity.value);
    return release(activity.value);
  }
  close(activity.value, now);
  detach(activity.value);
  release(activity.value);
}

void SharedCostModel::suspend(ActivityId activity, TimePoint now) {
  go_to(now);
  Slot& slot = slot_of(activity);
  if (slot.is_failed || slot.is_suspended) return;
  slot.is_suspended = true;
  activities_.suspend(slot.activity, now);
}

void SharedCostModel::resume(ActivityId activity, TimePoint now) {
  go_to(now);
  Slot& slot = slot_of(activity);
  if (slot.is_failed || !slot.is_suspended) return;
  slot.is_suspended = false;
  activities_.resume(slot.activity, now);
}

double SharedCostModel::remaining(ActivityId activity, TimePoint now) {
  go_to(now);
  const Slot& slot = slot_of(activity);
  if (slot.kind == Kind::message) return slot.amount;
  if (slot.is_failed) return 0;
  return activities_.remaining(slot.activity, now) * slot.scale;
}

double SharedCostModel::rate(ActivityId activity, TimePoint now) {
  go_to(now);
  const Slot& slot = slot_of(activity);
  if (slot.is_failed || slot.kind == Kind::message) return 0;
  const double rate = activities_.rate(slot.activity) * slot.scale;
  const bool is_clocked = slot.kind == Kind::computation && !activities_.is_parallel();
  return is_clocked ? rate * hosts_.factor(HostId{slot.subject}, now) : rate;
}

void SharedCostModel::advance(TimePoint now, std::vector<Ended>& ended) {
  go_to(now);
  drop_void_dates();
  REHEARSE_ASSERT(event_dates_.empty() || now <= event_dates_.front().date,
                  "no date is jumped over");  // of activities, the fluid sees to that
  for (const std::uint32_t index : failed_) {
    ended.push_back({{index}, true});
    release(index);
  }
  failed_.clear();
  ended_.clear();
  activities_.advance(now, ended_);
  // What follows may start activities under the same indices, so all are looked up first.
  for (std::uint32_t& activity : ended_) activity = slot_of_activity_[activity];
  for (const std::uint32_t index : ended_) {
    slots_[index].activity = none;
    if (slots_[index].kind == Kind::message && go_on_with_message(index, now)) continue;
    detach(index);
    release(index);
    ended.push_back({{index}, false});
  }
  for (drop_void_dates(); !event_dates_.empty() && event_dates_.front().date <= now;
       drop_void_dates()) {
    const std::uint32_t event = event_dates_.front().event;
    events_[event].date = never;
    happen(event, now);
  }
}

}  // namespace rehearse::cost
