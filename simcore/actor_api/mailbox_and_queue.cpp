// SPDX-License-Identifier: MIT
//
// Mailboxes and message queues, on top of the kernel.
#include <utility>

#include "simcore/actor_api/mailbox.hpp"
#include "simcore/actor_api/message_queue.hpp"
#include "simcore/kernel/far_side.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::sim {

using kernel::ActivityKind;
using kernel::ActivityRecord;
using kernel::Failure;
using kernel::ListNode;
using kernel::PutGetQueue;

namespace {

ActivityRecord& posted(ListNode& node) { return kernel::owner_of<ActivityRecord, kernel::MailboxPlace>(node); }

std::size_t count(const ListNode& head) {
  kernel::strays();
  std::size_t result = 0;
  for (const ListNode* node = head.next; node != &head; node = node->next) ++result;
  return result;
}

// The first waiting put: for the permanent receiver, otherwise for a get.
ActivityRecord* first_put(const PutGetQueue& place) {
  kernel::strays();
  if (!place.arrived.empty()) return &posted(*place.arrived.next);
  if (place.unmatched.empty() || place.holds_gets) return nullptr;
  return &posted(*place.unmatched.next);
}

// Where actors are in several processes: only the home of a mailbox knows its messages.
void require_home(const PutGetQueue& place, const char* what) {
  if (kernel::FarSide* far = place.kernel.world().far_side()) far->require_home(place, what);
}

// Performs a blocking put or get. A timeout removes its message.
void complete(ActivityRecord& activity, const PutGetQueue& place, double timeout) {
  kernel::tidy_stack();
  kernel::Kernel& kernel = place.kernel;
  TimePoint limit = CostModel::never;
  if (timeout != Mailbox::no_timeout) {
    const TimePoint duration = kernel::date_from(timeout);
    if (duration != CostModel::never) limit = kernel.now() + (duration - TimePoint{});
  }
  if (kernel.activities().wait(activity, limit)) return;
  kernel::strays();
  if (kernel::FarSide* far = kernel.world().far_side(); far != nullptr && !far->take_back(activity.present()))
    return kernel.activities().throw_if_failed(activity.present());
  kernel.activities().cancel(activity.present(), ActivityState::failed, Failure::timeout);
  throw TimeoutError(fmt::format("nobody at '{}' within {:f} s", place.name, timeout));
}

}  // namespace

Mailbox::Mailbox(kernel::Kernel& kernel, std::string name, std::uint32_t id) : place_{kernel, std::move(name), id} {}

Mailbox::~Mailbox() = default;

void Mailbox::put(Payload payload, double bytes, double timeout) {
  kernel::tidy_stack();
  const auto record = place_.kernel.exchange().put(place_, std::move(payload), bytes);
  complete(*record, place_, timeout);
}

Comm Mailbox::put_async(Payload payload, double bytes) {
  kernel::tidy_stack();
  kernel::this_actor_record().has_activities = true;
  return Comm(place_.kernel.exchange().put(place_, std::move(payload), bytes).get());
}

void Mailbox::put_detached(Payload payload, double bytes) {
  kernel::tidy_stack();
  const auto record = place_.kernel.exchange().put(place_, std::move(payload), bytes);
  record->detached = record->is_forgotten = true;
}

Comm Mailbox::put_init(Payload payload, double bytes) {
  kernel::ActorRecord& self = kernel::this_actor_record();
  if (!(bytes >= 0)) throw BadUse(fmt::format("a message of {:f} bytes", bytes));
  ActivityRecord* record = place_.kernel.activities().make(ActivityKind::comm);
  record->place = &place_;
  self.has_activities = true;
  record->issuer = &self;
  record->host = self.host;
  record->payload = std::move(payload);
  record->amount = bytes;
  return Comm(record);
}

Comm Mailbox::get_init() {
  kernel::ActorRecord& self = kernel::this_actor_record();
  ActivityRecord* record = place_.kernel.activities().make(ActivityKind::comm);
  record->place = &place_;
  record->is_get = true;
  self.has_activities = true;
  record->receiver = &self;
  record->destination = self.host;
  return Comm(record);
}

Payload Mailbox::receive(double timeout) {
  kernel::tidy_stack();
  const auto record = place_.kernel.exchange().get(place_);
  complete(*record, place_, timeout);
  return std::move(record->present().payload);
}

Comm Mailbox::get_async() {
  kernel::tidy_stack();
  kernel::this_actor_record().has_activities = true;
  return Comm(place_.kernel.exchange().get(place_).get());
}

std::size_t Mailbox::size() const {
  require_home(place_, "size()");
  return count(place_.arrived) + (place_.holds_gets ? 0 : count(place_.unmatched));
}

bool Mailbox::listen() const {
  require_home(place_, "listen()");
  return first_put(place_) != nullptr;
}

ActorHandle Mailbox::listen_from() const {
  require_home(place_, "listen_from()");
  const ActivityRecord* first = first_put(place_);
  return first != nullptr ? ActorHandle(first->issuer) : ActorHandle();
}

bool Mailbox::ready() const {
  require_home(place_, "ready()");
  return count(place_.arrived) > 0 && posted(*place_.arrived.next).is_done();
}

bool Mailbox::probe(const std::function<bool(const Payload&, double bytes)>& accepts) const {
  kernel::strays();
  require_home(place_, "probe()");
  const auto any = [&](const ListNode& head) {
    for (ListNode* node = head.next; node != &head; node = node->next)
      if (accepts(posted(*node).payload, posted(*node).amount)) return true;
    return false;
  };
  return any(place_.arrived) || (!place_.holds_gets && any(place_.unmatched));
}

bool Mailbox::empty() const {
  require_home(place_, "empty()");
  return count(place_.unmatched) + count(place_.arrived) == 0;
}

void Mailbox::set_receiver(const ActorHandle& actor) {
  kernel::strays();
  if (kernel::running_actor() != nullptr) {
    require_home(place_, "set_receiver()");
    kernel::FarSide* far = place_.kernel.world().far_side();
    if (far != nullptr && actor && !far->is_near(actor.host().id()))
      throw BadUse("mailbox '" + place_.name + "': actor '" + actor.name() + "' is in another process");
  }
  place_.receiver = actor;
}

void Mailbox::clear() {
  kernel::strays();
  require_home(place_, "clear()");
  while (!place_.arrived.empty()) {
    const Reference<ActivityRecord> record(&posted(*place_.arrived.next));
    static_cast<kernel::Hook<kernel::MailboxPlace>&>(*record).unlink();
    if (std::exchange(record->arrived, false)) release(record.get());
    place_.kernel.activities().cancel(*record, ActivityState::canceled, Failure::none);
  }
  while (!place_.unmatched.empty())
    place_.kernel.activities().cancel(posted(*place_.unmatched.next), ActivityState::canceled, Failure::none);
}

MessageQueue::MessageQueue(kernel::Kernel& kernel, std::string name, std::uint32_t id)
    : place_{kernel, std::move(name), id, false} {}

MessageQueue::~MessageQueue() = default;

void MessageQueue::put(Payload payload, double timeout) {
  const auto record = place_.kernel.exchange().put(place_, std::move(payload), 0);
  complete(*record, place_, timeout);
}

Mess MessageQueue::put_async(Payload payload) {
  return Mess(place_.kernel.exchange().put(place_, std::move(payload), 0).get());
}

void MessageQueue::put_detached(Payload payload) {
  kernel::tidy_stack();
  const auto record = place_.kernel.exchange().put(place_, std::move(payload), 0);
  record->detached = true;
}

Payload MessageQueue::receive(double timeout) {
  kernel::tidy_stack();
  const auto record = place_.kernel.exchange().get(place_);
  complete(*record, place_, timeout);
  return std::move(record->present().payload);
}

Mess MessageQueue::get_async() { return Mess(place_.kernel.exchange().get(place_).get()); }

std::size_t MessageQueue::size() const { return place_.holds_gets ? 0 : count(place_.unmatched); }

}  // namespace rehearse::sim
