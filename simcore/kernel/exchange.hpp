// SPDX-License-Identifier: MIT
//
// Mailboxes and message queues: puts and gets, and how they are matched.
//
// Order: in one mailbox or queue, first put, first got.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "simcore/actor_api/mailbox.hpp"
#include "simcore/actor_api/message_queue.hpp"
#include "simcore/kernel/put_get_queue.hpp"
#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

class Exchange {
 public:
  explicit Exchange(Kernel& kernel) : kernel_(kernel) {}

  // By name; created by the first call.
  Mailbox& mailbox(std::string_view name);
  MessageQueue& message_queue(std::string_view name);

  // A put or a get of the running actor. Returns its activity, which the partner may have begun.
  Reference<ActivityRecord> put(PutGetQueue& place, Payload payload, double bytes);
  Reference<ActivityRecord> get(PutGetQueue& place);
  void post(ActivityRecord& activity);  // a put or get that exists already
  // From now on the puts and gets of all mailboxes go where their homes are, which are unknown.
  void leave_homes();
  void lose_homes(std::uint32_t process);  // that is gone
  PutGetQueue& place_of(std::string_view mailbox);
  // Permanent receivers that were set before the run: their hosts. `set`: gets the mailbox.
  template <class Set>
  void for_receivers(const Set& set) {
    for (Mailbox& mailbox : mailboxes_)
      if (mailbox.place_.receiver) set(mailbox.place_);
  }

 private:
  ActivityRecord* make_message(PutGetQueue& place);
  void enqueue(PutGetQueue& place, ActivityRecord& activity);
  void use(const PutGetQueue& place);
  void post_far(ActivityRecord& activity);
  void merge(ActivityRecord& into, ActivityRecord& from);

  Kernel& kernel_;
  std::deque<Mailbox> mailboxes_;
  std::deque<MessageQueue> queues_;
  bool has_homes_elsewhere_ = false;
  std::size_t settled_ = 0;  // mailboxes whose home was set
  std::unordered_map<std::string, Mailbox*> mailbox_names_;
  std::unordered_map<std::string, MessageQueue*> queue_names_;
};

}  // namespace rehearse::sim::kernel
