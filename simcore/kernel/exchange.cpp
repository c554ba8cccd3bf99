// SPDX-License-Identifier: MIT
//
// See exchange.hpp.
#include "simcore/kernel/exchange.hpp"

#include <algorithm>
#include <utility>

#include "simcore/kernel/causality.hpp"
#include "simcore/kernel/far_side.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"

namespace rehearse::sim::kernel {
namespace {

ActivityRecord& unmatched(ListNode& node) { return owner_of<ActivityRecord, MailboxPlace>(node); }

bool has_receiver(const PutGetQueue& place) {
  return place.receiver && place.receiver.record()->phase != ActorRecord::Phase::ended;
}

template <class Place>
Place& find_or_make(Kernel& kernel, std::string_view name, std::deque<Place>& places,
                    std::unordered_map<std::string, Place*>& names) {
  require_no_code();
  const auto [entry, is_new] = names.try_emplace(std::string(name), nullptr);
  if (is_new) entry->second = &places.emplace_back(kernel, entry->first, kernel.next_object_id());
  return *entry->second;
}

ActivityRecord* take_unmatched(PutGetQueue& place) {
  ActivityRecord& first = unmatched(*place.unmatched.next);
  place.remove_unmatched(queue_hook(first));
  return &first;
}

// A mailbox has the same number in all executions.
std::uint64_t number_of_puts(const PutGetQueue& place) {
  StableHash hash;
  hash.add(place.name);
  return spread(hash.value()) | 1;
}

std::uint64_t number_of_gets(const PutGetQueue& place) { return Naming::mix(number_of_puts(place), 1); }

// The n-th put of a mailbox goes to its n-th get, whatever the order of the two is. So puts depend on puts, and gets on
// gets. Both make something that the end of the message needs. With a permanent receiver, messages leave before they
// are received.
void ask_put(const void* mailbox, const ActorRecord& self, Way& way) {
  const auto& place = *static_cast<const PutGetQueue*>(mailbox);
  way.touches_anything = bool(place.receiver);
  way.add({number_of_puts(place), Access::writes});
  way.add({self.naming.coming(), Access::makes});
}

void ask_get(const void* mailbox, const ActorRecord& self, Way& way) {
  const auto& place = *static_cast<const PutGetQueue*>(mailbox);
  way.touches_anything = bool(place.receiver);
  way.add({number_of_gets(place), Access::writes});
  way.add({self.naming.coming(), Access::makes});
}

Footprint footprint_of(const PutGetQueue& place, bool is_get) {
  if (!place.takes_time) return {Touched::queue, place.id};
  return {Touched::mailbox, place.id, is_get ? ask_get : ask_put, &place};
}

}  // namespace

Mailbox& Exchange::mailbox(std::string_view name) {
  Mailbox& mailbox = find_or_make(kernel_, name, mailboxes_, mailbox_names_);
  if (has_homes_elsewhere_ && mailboxes_.size() > settled_) {
    mailbox.place_.home = PutGetQueue::unknown;
    settled_ = mailboxes_.size();
  }
  return mailbox;
}

void Exchange::lose_homes(std::uint32_t process) {
  for (Mailbox& mailbox : mailboxes_)
    if (mailbox.place_.home == process) mailbox.place_.home = PutGetQueue::unknown;
}

PutGetQueue& Exchange::place_of(std::string_view name) { return mailbox(name).place_; }

void Exchange::leave_homes() {
  has_homes_elsewhere_ = true;
  for (Mailbox& mailbox : mailboxes_) mailbox.place_.home = PutGetQueue::unknown;
  settled_ = mailboxes_.size();
}

MessageQueue& Exchange::message_queue(std::string_view name) {
  return find_or_make(kernel_, name, queues_, queue_names_);
}

ActivityRecord* Exchange::make_message(PutGetQueue& place) {
  ActivityRecord* activity = kernel_.activities().make(place.takes_time ? ActivityKind::comm : ActivityKind::mess);
  activity->place = &place;
  return activity;
}

void Exchange::enqueue(PutGetQueue& place, ActivityRecord& activity) {
  activity.state = ActivityState::starting;
  activity.wants_start = true;
  place.holds_gets = activity.is_get;
  place.unmatched.push_back(queue_hook(activity));
  kernel_.activities().track(activity);
}

// A queue is in the memory of one process.
void Exchange::use(const PutGetQueue& place) {
  if (place.takes_time) return;
  if (FarSide* far_side = kernel_.world().far_side()) far_side->uses(number_of_puts(place), Touched::queue);
}

Reference<ActivityRecord> Exchange::put(PutGetQueue& place, Payload payload, double bytes) {
  ActorRecord& self = this_actor_record();
  use(place);
  if (!(bytes >= 0)) throw BadUse(fmt::format("a message of {:f} bytes", bytes));
  kernel_.before(footprint_of(place, false));
  const bool is_matched = place.holds_gets && !place.unmatched.empty();
  Reference<ActivityRecord> activity(is_matched ? take_unmatched(place) : make_message(place));
  if (is_matched) activity->identity = kernel_.naming().next();  // of its put, in each order
  note_release(activity->identity);
  activity->payload = std::move(payload);
  activity->amount = bytes;
  activity->issuer = &self;
  activity->category = self.category;
  activity->host = self.host;
  if (is_matched) {
    self.issued.push_back(static_cast<Hook<IssuerPlace>&>(*activity));
    kernel_.activities().launch(*activity);
  } else {
    post(*activity);
  }
  return activity;
}

Reference<ActivityRecord> Exchange::get(PutGetQueue& place) {
  ActorRecord& self = this_actor_record();
  use(place);
  kernel_.before(footprint_of(place, true));
  if (!place.arrived.empty()) {
    Reference<ActivityRecord> first(&unmatched(*place.arrived.next));
    queue_hook(*first).unlink();
    first->arrived = false;
    release(first.get());  // the reference of the place
    first->receiver = &self;
    note_acquire(first->identity);
    if (!first->is_done()) self.receiving.push_back(static_cast<Hook<ReceiverPlace>&>(*first));
    return first;
  }
  const bool is_matched = !place.holds_gets && !place.unmatched.empty();
  Reference<ActivityRecord> activity(is_matched ? take_unmatched(place) : make_message(place));
  activity->receipt = is_matched ? kernel_.naming().next() : activity->identity;
  note_release(activity->receipt);
  activity->receiver = &self;
  activity->destination = self.host;
  if (is_matched) {
    self.receiving.push_back(static_cast<Hook<ReceiverPlace>&>(*activity));
    kernel_.activities().launch(*activity);
  } else {
    activity->is_get = true;
    if (place.home == PutGetQueue::here) enqueue(place, *activity);
    else post_far(*activity);
  }
  return activity;
}

// Its home is not here.
void Exchange::post_far(ActivityRecord& activity) {
  activity.state = ActivityState::starting;
  activity.wants_start = true;
  kernel_.activities().track(activity);
  kernel_.world().far_side()->post_far(activity);
}

// Starts a put or get that was made by put_init or get_init.
void Exchange::post(ActivityRecord& activity) {
  PutGetQueue& place = *activity.place;
  if (place.home != PutGetQueue::here) return post_far(activity);
  if (!place.unmatched.empty() && place.holds_gets != activity.is_get) {
    const Reference<ActivityRecord> other(take_unmatched(place));
    ActivityRecord& put = activity.is_get ? *other : activity;
    ActivityRecord& get = activity.is_get ? activity : *other;
    kernel_.activities().track(activity);
    merge(put, get);
    return kernel_.activities().launch(put);
  }
  if (activity.is_get && !place.arrived.empty()) {
    const Reference<ActivityRecord> first(&unmatched(*place.arrived.next));
    queue_hook(*first).unlink();
    first->arrived = false;
    release(first.get());
    kernel_.activities().track(activity);
    return merge(*first, activity);
  }
  if (activity.is_get || !has_receiver(place)) return enqueue(place, activity);
  // The permanent receiver exists, so the message leaves at once.
  activity.destination = place.receiver.record()->host;
  activity.arrived = true;
  retain(&activity);
  place.arrived.push_back(queue_hook(activity));
  kernel_.activities().track(activity);
  kernel_.activities().launch(activity);
}

// From now on the activity `into`, a put, also stands for `from`, a get.
void Exchange::merge(ActivityRecord& into, ActivityRecord& from) {
  into.receiver = from.receiver;
  into.destination = from.destination;
  if (from.remote) {  // its receiver is in another process
    if (into.remote) into.remote->receiver = from.remote->receiver;
    else into.remote = from.remote;
  }
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
  if (Causality* causality = kernel_.world().causality()) causality->merges(into.identity, from.identity);
  from.alias = Reference<ActivityRecord>(&into);
  kernel_.activities().untrack(from);
}

}  // namespace rehearse::sim::kernel
