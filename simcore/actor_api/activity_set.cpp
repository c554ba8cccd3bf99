// SPDX-License-Identifier: MIT
//
// Each activity that ends moves its membership to the list of ended activities.
#include "simcore/actor_api/activity_set.hpp"

#include <utility>

#include "simcore/kernel/kernel.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::sim {

using kernel::ActivityRecord;
using kernel::ActorRecord;
using kernel::ListNode;
using kernel::SetMember;
using kernel::SetRecord;

namespace {

SetMember& member_of(ListNode& in_set) { return kernel::owner_of<SetMember, kernel::InSet>(in_set); }
ListNode& in_set(SetMember& member) { return static_cast<kernel::Hook<kernel::InSet>&>(member); }
ListNode& in_activity(SetMember& member) { return static_cast<kernel::Hook<kernel::InActivity>&>(member); }

// Removes the membership from the set and keeps its memory for the next one.
Activity take_out(SetRecord& set, SetMember& member) {
  const Activity activity(member.activity.get());
  in_set(member).unlink();
  in_activity(member).unlink();
  member.activity = {};
  set.unused.push_back(in_set(member));
  --set.size;
  return activity;
}

// Returns the activity that ended first, or throws its exception.
Activity take_ended(SetRecord& set) {
  const Activity activity = take_out(set, member_of(*set.ended.next));
  const ActivityRecord& record = *activity.record();
  if (record.state != ActivityState::finished) {
    set.failed = activity;
    record.kernel->activities().throw_if_failed(record);
  }
  return activity;
}

// Waits until an activity has ended. False: the date came first.
bool wait_for_one(SetRecord& set, TimePoint date) {
  ActorRecord& self = kernel::this_actor_record();
  self.kernel->before({kernel::Touched::activity, 0});
  if (set.size == 0) throw BadUse("nothing to wait for: the set of activities is empty");
  struct Unregister {
    SetRecord& set;
    ~Unregister() { set.waiter = nullptr; }
  } unregister{set};
  while (set.ended.empty()) {
    if (set.waiter != nullptr) throw BadUse("two actors wait for one set of activities");
    set.waiter = &self;
    const bool in_time = self.kernel->scheduler().block_until(self, kernel::Waiting::set, &set, date);
    if (!in_time && set.ended.empty()) return false;
  }
  return true;
}

TimePoint date_in(double seconds) {
  return kernel::date_from(kernel::this_actor_record().kernel->now().seconds() + seconds);
}

}  // namespace

ActivitySet::ActivitySet() : record_(std::make_unique<SetRecord>()) {}

ActivitySet::ActivitySet(std::initializer_list<Activity> activities) : ActivitySet() {
  for (const Activity& activity : activities) push(activity);
}

ActivitySet::ActivitySet(const std::vector<Activity>& activities) : ActivitySet() {
  for (const Activity& activity : activities) push(activity);
}

ActivitySet::ActivitySet(ActivitySet&&) noexcept = default;
ActivitySet& ActivitySet::operator=(ActivitySet&& other) noexcept {
  std::swap(record_, other.record_);
  return *this;
}

ActivitySet::~ActivitySet() {
  if (record_ == nullptr) return;
  clear();
  while (!record_->unused.empty()) delete &member_of(*record_->unused.next);
}

void ActivitySet::push(const Activity& activity) {
  ActivityRecord* record = activity.record();
  SetMember* member = nullptr;
  if (record_->unused.empty()) {
    member = new SetMember;
  } else {
    member = &member_of(*record_->unused.next);
    in_set(*member).unlink();
  }
  member->activity = Reference<ActivityRecord>(record);
  member->set = record_.get();
  ++record_->size;
  if (record->is_done()) {
    record_->ended.push_back(in_set(*member));
  } else {
    record_->pending.push_back(in_set(*member));
    record->members.push_back(in_activity(*member));
  }
}

void ActivitySet::erase(const Activity& activity) {
  for (ListNode* head : {&record_->pending, &record_->ended})
    for (ListNode* node = head->next; node != head; node = node->next)
      if (Activity(member_of(*node).activity.get()) == activity) {
        take_out(*record_, member_of(*node));
        return;
      }
}

void ActivitySet::clear() {
  while (!record_->ended.empty()) take_out(*record_, member_of(*record_->ended.next));
  while (!record_->pending.empty()) take_out(*record_, member_of(*record_->pending.next));
}

std::size_t ActivitySet::size() const { return record_->size; }

std::vector<Activity> ActivitySet::activities() const {
  std::vector<Activity> result;
  for (ListNode* head : {&record_->ended, &record_->pending})
    for (ListNode* node = head->next; node != head; node = node->next)
      result.emplace_back(member_of(*node).activity.get());
  return result;
}

Activity ActivitySet::wait_any() {
  (void)wait_for_one(*record_, CostModel::never);
  return take_ended(*record_);
}

Activity ActivitySet::wait_any_for(double seconds) {
  if (!wait_for_one(*record_, date_in(seconds)))
    throw TimeoutError(fmt::format("none of {} activities ended within {:f} s", size(), seconds));
  return take_ended(*record_);
}

Activity ActivitySet::test_any() {
  if (ActorRecord* self = kernel::running_actor()) self->kernel->before({kernel::Touched::activity, 0});
  return record_->ended.empty() ? Activity() : take_ended(*record_);
}

void ActivitySet::wait_all() {
  while (record_->size > 0) (void)wait_any();
}

void ActivitySet::wait_all_for(double seconds) {
  const TimePoint date = date_in(seconds);
  while (record_->size > 0) {
    if (!wait_for_one(*record_, date))
      throw TimeoutError(fmt::format("{} activities did not end within {:f} s", size(), seconds));
    (void)take_ended(*record_);
  }
}

Activity ActivitySet::failed_activity() { return std::exchange(record_->failed, Activity()); }
bool ActivitySet::has_failed_activity() const { return static_cast<bool>(record_->failed); }

}  // namespace rehearse::sim
