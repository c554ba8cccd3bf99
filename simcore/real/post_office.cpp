// SPDX-License-Identifier: MIT
//
// The puts and gets of this process, and the home of mailboxes. See remote_mail.cpp for the messages of others.
#include "simcore/real/post_office.hpp"

#include <utility>

#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/put_get_queue.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::real {

using remote::Packer;
using sim::ActivityState;
using sim::kernel::ActivityRecord;
using sim::kernel::ActorRecord;
using sim::kernel::Failure;
using sim::kernel::PutGetQueue;

namespace {

constexpr double eager_bytes_max = 65536;

std::uint64_t filling_of(double bytes, std::size_t content) {
  const double rest = bytes - static_cast<double>(content);
  return rest > 0 ? static_cast<std::uint64_t>(rest) : 0;
}

std::uint32_t number_of(const ActorRecord* actor) { return actor != nullptr ? actor->pid : 0; }

}  // namespace

// ---- at the process of the put or get

void PostOffice::post(ActivityRecord& activity) {
  PutGetQueue& place = *activity.place;
  if (place.home != PutGetQueue::unknown) return begin(activity);
  without_home_[&place].emplace_back(&activity);
  const auto [asked, is_new] = asked_.try_emplace(&place, activity.is_get);
  if (!is_new && (asked->second || !activity.is_get)) return;
  asked->second = activity.is_get;
  ask_(place.name, activity.is_get);
}

void PostOffice::begin(ActivityRecord& activity) {
  if (activity.place->home == PutGetQueue::here) {
    const Record keep(&activity);
    kernel_.activities().untrack(activity);
    return kernel_.exchange().post(activity);
  }
  kernel_.activities().launch(activity);
}

void PostOffice::home_is(std::string_view mailbox, std::uint32_t process) {
  PutGetQueue& place = kernel_.exchange().place_of(mailbox);
  place.home = process == self_ ? PutGetQueue::here : process;
  asked_.erase(&place);
  if (const auto found = without_home_.find(&place); found != without_home_.end()) {
    const std::vector<Record> waiting = std::move(found->second);
    without_home_.erase(found);
    for (const Record& record : waiting)
      if (!record->is_done()) begin(*record);
  }
  if (const auto found = waiting_for_home_.find(&place); found != waiting_for_home_.end()) {
    for (const auto& actor : found->second)
      if (actor->waiting == sim::kernel::Waiting::turn && actor->object == &place && !actor->doomed)
        kernel_.scheduler().wake(*actor);
    waiting_for_home_.erase(found);
  }
}

void PostOffice::require_home(PutGetQueue& place, const char* what) {
  if (place.home == PutGetQueue::unknown) {
    if (sim::kernel::running_actor() == nullptr)
      throw sim::BadUse(
          fmt::format("mailbox '{}': {} outside of actors, before a process receives from it", place.name, what));
    ActorRecord& self = sim::kernel::this_actor_record();
    bool& claims = asked_[&place];
    if (!std::exchange(claims, true)) ask_(place.name, true);
    while (place.home == PutGetQueue::unknown) {
      waiting_for_home_[&place].emplace_back(&self);
      kernel_.scheduler().block(self, sim::kernel::Waiting::turn, &place);
    }
  }
  if (place.home != PutGetQueue::here)
    throw sim::BadUse(
        fmt::format("mailbox '{}': {} is only possible in the process that receives from it", place.name, what));
}

std::uint32_t PostOffice::keep(Side side, ActivityRecord& activity, std::uint32_t home) {
  const std::uint32_t number = ++numbers_;
  activity.cost = number;
  Sent& sent = (side == Side::put ? puts_ : gets_)[number];
  sent.record = Record(&activity);
  sent.home = home;
  activity.more().on_completion.push_back([this, side, number](const sim::Activity&) { own_ended(side, number); });
  return number;
}

void PostOffice::announce_put(ActivityRecord& activity, std::uint32_t home) {
  const std::uint32_t number = keep(Side::put, activity, home);
  activity.destination = activity.host;  // the receiver's is not known
  std::string content;
  bool is_eager = activity.amount <= eager_bytes_max && activity.payload.has_wire();
  if (is_eager) content = activity.payload.wire_bytes();
  is_eager = is_eager && static_cast<double>(content.size()) <= eager_bytes_max;
  Packer packer;
  packer.add(std::uint64_t{number}).add(activity.place->name).add(number_of(activity.issuer)).add(activity.amount);
  packer.add(is_eager).add(is_eager ? activity.payload.wire_type() : "").add(is_eager ? content : "");
  network_.send(home, PeerKind::put, packer.take(), is_eager ? filling_of(activity.amount, content.size()) : 0);
}

void PostOffice::announce_get(ActivityRecord& activity, std::uint32_t home) {
  const std::uint32_t number = keep(Side::get, activity, home);
  activity.host = activity.destination;  // the sender's is not known
  network_.send(home, PeerKind::get,
                Packer().add(std::uint64_t{number}).add(activity.place->name).add(number_of(activity.receiver)).take());
}

// A put or get of this process has ended. If others do not know that, it was cancelled here.
void PostOffice::own_ended(Side side, std::uint32_t number) {
  auto& all = side == Side::put ? puts_ : gets_;
  const auto found = all.find(number);
  if (found == all.end()) return;
  const Sent sent = std::move(found->second);
  all.erase(found);
  const Failed failed{sent.record->state, sent.record->failure};
  if (sent.transfer) {
    network_.drop_content(*sent.partner, *sent.transfer);
    network_.send(*sent.partner, PeerKind::stopped,
                  Packer().add(*sent.transfer).add(failed.state).add(failed.failure).take());
  }
  if (sent.home == self_) return;
  network_.send(sent.home, PeerKind::withdraw,
                Packer().add(side).add(std::uint64_t{number}).add(failed.state).add(failed.failure).add(false).take());
}

bool PostOffice::take_back(ActivityRecord& activity) {
  if (activity.place == nullptr || activity.state != ActivityState::started) return true;
  const std::uint32_t home = activity.place->home;
  if (home == PutGetQueue::here) return true;
  const Side side = activity.is_get ? Side::get : Side::put;
  auto& all = side == Side::put ? puts_ : gets_;
  const std::uint32_t number = activity.cost;
  if (!all.contains(number)) return true;
  network_.send(
      home, PeerKind::withdraw,
      Packer().add(side).add(std::uint64_t{number}).add(ActivityState::failed).add(Failure::timeout).add(true).take());
  ActorRecord& self = sim::kernel::this_actor_record();
  while (!activity.is_done() && all.contains(number) && !all[number].was_taken_back) {
    activity.waiters.push_back(wait_place(self));
    kernel_.scheduler().block(self, sim::kernel::Waiting::activity, &activity);
  }
  if (activity.is_done()) return false;
  if (all.contains(number) && !*all[number].was_taken_back) {  // it has met its partner, and comes
    while (!activity.is_done()) {
      activity.waiters.push_back(wait_place(self));
      kernel_.scheduler().block(self, sim::kernel::Waiting::activity, &activity);
    }
    return false;
  }
  all.erase(number);
  return true;
}

void PostOffice::hand_over(std::uint32_t put, std::uint32_t get) {
  const auto sender = puts_.find(put);
  if (sender != puts_.end()) {
    const Record record = sender->second.record;
    return arrive(get, self_, put, record->amount, std::move(record->payload));
  }
  if (const Record receiver = take(gets_, get)) end(receiver, {ActivityState::failed, Failure::peer});
}

void PostOffice::send_content(std::uint32_t number, std::uint32_t process, std::uint32_t slot, bool to_home) {
  Sent& sent = puts_.at(number);
  ActivityRecord& activity = *sent.record;
  if (!activity.payload.has_wire())
    return refuse_(fmt::format("mailbox '{}': a value of type {} cannot leave its process (docs/real-actors.md)",
                               activity.place->name, activity.payload.type_in_words()));
  Content content{activity.payload.wire_bytes(), 0};
  content.rest = filling_of(activity.amount, content.bytes.size());
  const std::string header = Packer()
                                 .add(to_home)
                                 .add(slot)
                                 .add(std::uint64_t{number})
                                 .add(activity.amount)
                                 .add(activity.payload.wire_type())
                                 .add(std::uint64_t{content.bytes.size()})
                                 .add(content.rest)
                                 .take();
  sent.partner = process;
  sent.transfer = network_.send_content(process, header, std::move(content));
}

// ---- at the home

void PostOffice::start(ActivityRecord& activity) {
  const std::uint32_t home = activity.place->home;
  if (home != PutGetQueue::here) {
    if (activity.is_get) announce_get(activity, home);
    else announce_put(activity, home);
  } else if (activity.remote && activity.remote->receiver) {
    forward(activity);
  } else if (activity.remote && activity.remote->sender && !activity.remote->has_payload) {
    fetch(activity);
  } else {
    near_.emplace_back(&activity);
  }
}

// The content is at the sender, which sends it here.
void PostOffice::fetch(ActivityRecord& activity) {
  const std::uint32_t slot = ++numbers_;
  activity.cost = slot;
  awaited_[slot] = Record(&activity);
  const End sender = *activity.remote->sender;
  network_.send(sender.process, PeerKind::send_to, Packer().add(sender.number).add(self_).add(slot).add(true).take());
}

// The receiver is in another process.
void PostOffice::forward(ActivityRecord& activity) {
  const auto ends = activity.remote;
  const End receiver = *ends->receiver;
  const auto slot = static_cast<std::uint32_t>(receiver.number);
  if (!ends->sender) {
    const std::uint32_t number = keep(Side::put, activity, self_);
    return send_content(number, receiver.process, slot, false);
  }
  const End sender = *ends->sender;
  if (ends->has_payload) {
    const std::string content = activity.payload.wire_bytes();
    network_.send(receiver.process, PeerKind::deliver,
                  Packer()
                      .add(receiver.number)
                      .add(sender.process)
                      .add(sender.number)
                      .add(activity.amount)
                      .add(activity.payload.wire_type())
                      .add(content)
                      .take(),
                  filling_of(activity.amount, content.size()));
  } else {
    network_.send(receiver.process, PeerKind::matched, Packer().add(receiver.number).add(sender.process).take());
    network_.send(sender.process, PeerKind::send_to,
                  Packer().add(sender.number).add(receiver.process).add(slot).add(false).take());
  }
  // From now on, the two do it without the home.
  stand_ins_.erase({sender.process, sender.number, Side::put});
  stand_ins_.erase({receiver.process, receiver.number, Side::get});
  near_.emplace_back(&activity);
}

bool PostOffice::finish_near() {
  if (near_.empty()) return false;
  const std::vector<Record> ended = std::exchange(near_, {});
  for (const Record& record : ended) {
    if (record->state != ActivityState::started) continue;
    if (!record->remote || !record->remote->receiver) count(*record);
    kernel_.activities().finish(*record, ActivityState::finished, Failure::none);
  }
  return true;
}

// The message of a record that stands for one of another process has ended.
void PostOffice::stand_in_ended(Side side, const End& end, const ActivityRecord& record) {
  if (stand_ins_.erase({end.process, end.number, side}) == 0) return;
  if (record.cost != ActivityRecord::no_cost) awaited_.erase(record.cost);
  const Failed failed{record.state, record.failure};
  if (side == Side::put) {
    if (record.state == ActivityState::finished) report_arrival(end.process, end.number);
    else report_broken(end.process, false, end.number, failed);
  } else if (record.state != ActivityState::finished) {
    report_broken(end.process, true, end.number, failed);
  }
}

void PostOffice::report_arrival(std::uint32_t process, std::uint64_t put) {
  network_.send(process, PeerKind::arrived, Packer().add(put).take());
}

// `is_get`: the number is that of a get.
void PostOffice::report_broken(std::uint32_t process, bool is_get, std::uint64_t number, Failed failed) {
  network_.send(process, PeerKind::broken,
                Packer().add(is_get).add(number).add(failed.state).add(failed.failure).take());
}

PostOffice::Record PostOffice::take(std::map<std::uint32_t, Sent>& from, std::uint32_t number) {
  const auto found = from.find(number);
  if (found == from.end()) return {};
  Record record = std::move(found->second.record);
  from.erase(found);
  return record;
}

void PostOffice::end(const Record& record, Failed failed) {
  if (!record->is_done()) kernel_.activities().cancel(*record, failed.state, failed.failure);
}

}  // namespace rehearse::real
