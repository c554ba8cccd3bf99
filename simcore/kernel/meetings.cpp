// SPDX-License-Identifier: MIT
//
// Puts and gets: how they meet.
#include <algorithm>
#include <utility>

#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/meeting_place.hpp"

namespace rehearse::sim::kernel {
namespace {

ActivityRecord& meeting(ListNode& node) { return owner_of<ActivityRecord, MailboxPlace>(node); }

bool has_receiver(const MeetingPlace& place) {
  return place.receiver && place.receiver.record()->phase != ActorRecord::Phase::ended;
}

template <class Place>
Place& find_or_make(Kernel& kernel, std::string_view name, std::deque<Place>& places,
                    std::unordered_map<std::string, Place*>& names) {
  const auto [entry, is_new] = names.try_emplace(std::string(name), nullptr);
  if (is_new) entry->second = &places.emplace_back(kernel, entry->first, kernel.next_object_id());
  return *entry->second;
}

}  // namespace

Mailbox& Kernel::mailbox(std::string_view name) { return find_or_make(*this, name, mailboxes_, mailbox_names_); }

MessageQueue& Kernel::message_queue(std::string_view name) {
  return find_or_make(*this, name, queues_, queue_names_);
}

ActivityRecord* Kernel::make_message(MeetingPlace& place) {
  ActivityRecord* activity = make_activity(place.takes_time ? ActivityKind::comm : ActivityKind::mess);
  activity->place = &place;
  return activity;
}

ActivityRecord* Kernel::take_waiting(MeetingPlace& place) {
  ActivityRecord& first = meeting(*place.queue.next);
  meeting_hook(first).unlink();
  return &first;
}

void Kernel::enqueue(MeetingPlace& place, ActivityRecord& activity) {
  activity.state = ActivityState::starting;
  activity.wants_start = true;
  place.holds_gets = activity.is_get;
  place.queue.push_back(meeting_hook(activity));
  track(activity);
}

Reference<ActivityRecord> Kernel::put(MeetingPlace& place, Payload payload, double bytes) {
  ActorRecord& self = this_actor_record();
  if (!(bytes >= 0)) throw BadUse("a message of " + std::to_string(bytes) + " bytes");
  before({place.takes_time ? Touched::mailbox : Touched::queue, place.id});
  const bool meets = place.holds_gets && !place.queue.empty();
  Reference<ActivityRecord> activity(meets ? take_waiting(place) : make_message(place));
  activity->payload = std::move(payload);
  activity->amount = bytes;
  activity->issuer = &self;
  activity->host = self.host;
  if (meets) {
    self.issued.push_back(static_cast<Hook<IssuerPlace>&>(*activity));
    launch(*activity);
  } else {
    post(*activity);
  }
  return activity;
}

Reference<ActivityRecord> Kernel::get(MeetingPlace& place) {
  ActorRecord& self = this_actor_record();
  before({place.takes_time ? Touched::mailbox : Touched::queue, place.id});
  if (!place.arrived.empty()) {
    Reference<ActivityRecord> first(&meeting(*place.arrived.next));
    meeting_hook(*first).unlink();
    first->arrived = false;
    release(first.get());  // the place's
    first->receiver = &self;
    if (!first->is_done()) self.receiving.push_back(static_cast<Hook<ReceiverPlace>&>(*first));
    return first;
  }
  const bool meets = !place.holds_gets && !place.queue.empty();
  Reference<ActivityRecord> activity(meets ? take_waiting(place) : make_message(place));
  activity->receiver = &self;
  activity->destination = self.host;
  if (meets) {
    self.receiving.push_back(static_cast<Hook<ReceiverPlace>&>(*activity));
    launch(*activity);
  } else {
    activity->is_get = true;
    enqueue(place, *activity);
  }
  return activity;
}

// A put without partner yet, or what was made by put_init or get_init.
void Kernel::post(ActivityRecord& activity) {
  MeetingPlace& place = *activity.place;
  if (!place.queue.empty() && place.holds_gets != activity.is_get) {
    const Reference<ActivityRecord> other(take_waiting(place));
    ActivityRecord& put = activity.is_get ? *other : activity;
    ActivityRecord& get = activity.is_get ? activity : *other;
    track(activity);
    merge(put, get);
    return launch(put);
  }
  if (activity.is_get && !place.arrived.empty()) {
    const Reference<ActivityRecord> first(&meeting(*place.arrived.next));
    meeting_hook(*first).unlink();
    first->arrived = false;
    release(first.get());
    track(activity);
    return merge(*first, activity);
  }
  if (activity.is_get || !has_receiver(place)) return enqueue(place, activity);
  // It leaves at once.
  activity.destination = place.receiver.record()->host;
  activity.arrived = true;
  retain(&activity);
  place.arrived.push_back(meeting_hook(activity));
  track(activity);
  launch(activity);
}

// From now on `into`, a put, stands for `from`, a get, too.
void Kernel::merge(ActivityRecord& into, ActivityRecord& from) {
  into.receiver = from.receiver;
  into.destination = from.destination;
  if (from.limit < into.limit) into.limit = from.limit;
  if (into.receiver != nullptr && !into.is_done())
    into.receiver->receiving.push_back(static_cast<Hook<ReceiverPlace>&>(into));
  while (!from.members.empty()) {
    auto& member = owner_of<SetMember, InActivity>(*from.members.next);
    static_cast<Hook<InActivity>&>(member).unlink();
    member.activity = Reference<ActivityRecord>(&into);
    into.members.push_back(static_cast<Hook<InActivity>&>(member));
  }
  while (!from.waiters.empty()) {
    ListNode& waiter = *from.waiters.next;
    waiter.unlink();
    into.waiters.push_back(waiter);
  }
  if (from.extras) {
    auto& mine = into.more();
    for (auto& callback : from.extras->on_start) mine.on_start.push_back(std::move(callback));
    for (auto& callback : from.extras->on_completion) mine.on_completion.push_back(std::move(callback));
    for (auto& successor : from.extras->successors) {
      std::replace(successor->more().predecessors.begin(), successor->more().predecessors.end(), &from, &into);
      mine.successors.push_back(std::move(successor));
    }
    from.extras->successors.clear();
  }
  from.alias = Reference<ActivityRecord>(&into);
  untrack(from);
}

}  // namespace rehearse::sim::kernel
