// SPDX-License-Identifier: MIT
//
// Messages of other processes about mailboxes, and the loss of a process. See post_office.hpp.
#include <utility>

#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/put_get_queue.hpp"
#include "simcore/real/post_office.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::real {

using remote::Packer;
using remote::Unpacker;
using sim::ActivityState;
using sim::kernel::ActivityKind;
using sim::kernel::ActivityRecord;
using sim::kernel::Failure;
using sim::kernel::PutGetQueue;
using sim::kernel::RemoteEnds;

void PostOffice::received(std::uint32_t process, PeerKind kind, std::string_view bytes) {
  Unpacker body(bytes);
  switch (kind) {
    case PeerKind::put: return on_announcement(process, Side::put, body);
    case PeerKind::get: return on_announcement(process, Side::get, body);
    case PeerKind::withdraw: return on_withdrawal(process, body);
    case PeerKind::answer: return on_answer(body);
    case PeerKind::send_to: return on_send_to(body);
    case PeerKind::matched: {
      const auto number = static_cast<std::uint32_t>(body.value<std::uint64_t>());
      if (const auto found = gets_.find(number); found != gets_.end())
        found->second.partner = body.value<std::uint32_t>();
      return;
    }
    case PeerKind::deliver: return on_delivery(process, body);
    case PeerKind::content: return on_content(process, body);
    case PeerKind::part: return on_part(process, body);
    case PeerKind::arrived: return on_arrived(body);
    case PeerKind::broken: return on_broken(body);
    case PeerKind::stopped: return on_stopped(process, body);
    case PeerKind::actor_ended:
    case PeerKind::order:
    case PeerKind::host_state: return;  // not of mailboxes
  }
}

void PostOffice::on_announcement(std::uint32_t process, Side side, Unpacker& body) {
  const auto number = body.value<std::uint64_t>();
  const std::string mailbox = body.text();
  const auto actor = body.value<std::uint32_t>();
  PutGetQueue& place = kernel_.exchange().place_of(mailbox);
  // The sender may have heard of the home before this process did.
  if (place.home == PutGetQueue::unknown) home_is(mailbox, self_);
  ActivityRecord* record = kernel_.activities().make(ActivityKind::comm);
  const Record keep(record);
  record->place = &place;
  record->state = ActivityState::starting;
  record->wants_start = true;
  record->remote = std::make_shared<RemoteEnds>();
  const End end{process, number};
  if (side == Side::put) {
    record->issuer = kernel_.actors().find(actor);
    record->amount = body.value<double>();
    record->remote->sender = end;
    record->remote->has_payload = body.value<bool>();
    const std::string type = body.text();
    if (record->remote->has_payload) record->payload = sim::Payload::from_wire(type, body.text());
  } else {
    if (place.receiver)
      return refuse_(fmt::format("mailbox '{}' has a permanent receiver, and an actor of another process receives "
                                 "from it",
                                 mailbox));
    record->is_get = true;
    record->receiver = kernel_.actors().find(actor);
    if (record->receiver != nullptr) record->destination = record->receiver->host;
    record->remote->receiver = end;
  }
  record->more().on_completion.push_back(
      [this, side, end](const sim::Activity& activity) { stand_in_ended(side, end, *activity.record()); });
  stand_ins_[{end.process, end.number, side}] = keep;
  kernel_.exchange().post(*record);
}

void PostOffice::on_withdrawal(std::uint32_t process, Unpacker& body) {
  const auto side = body.value<Side>();
  const auto number = body.value<std::uint64_t>();
  const auto state = body.value<ActivityState>();
  const auto failure = body.value<Failure>();
  const bool wants_answer = body.value<bool>();
  bool is_taken_back = false;
  if (const auto found = stand_ins_.find({process, number, side}); found != stand_ins_.end()) {
    const Record record(&found->second->present());
    stand_ins_.erase(found);
    is_taken_back = !record->is_done();
    if (record->cost != ActivityRecord::no_cost) awaited_.erase(record->cost);
    end(record, {state, failure});
  }
  if (wants_answer) network_.send(process, PeerKind::answer, Packer().add(side).add(number).add(is_taken_back).take());
}

void PostOffice::on_answer(Unpacker& body) {
  auto& all = body.value<Side>() == Side::put ? puts_ : gets_;
  const auto found = all.find(static_cast<std::uint32_t>(body.value<std::uint64_t>()));
  if (found == all.end()) return;
  found->second.was_taken_back = body.value<bool>();
  kernel_.scheduler().wake_all(found->second.record->waiters);
}

void PostOffice::on_send_to(Unpacker& body) {
  const auto number = static_cast<std::uint32_t>(body.value<std::uint64_t>());
  const auto process = body.value<std::uint32_t>();
  const auto slot = body.value<std::uint32_t>();
  const bool to_home = body.value<bool>();
  if (process == self_) return hand_over(number, slot);
  if (puts_.contains(number)) return send_content(number, process, slot, to_home);
  // It was cancelled, and the home hears of it; the receiver of another process does not.
  if (!to_home) report_broken(process, true, slot, {ActivityState::failed, Failure::peer});
}

void PostOffice::on_delivery(std::uint32_t, Unpacker& body) {
  const auto get = static_cast<std::uint32_t>(body.value<std::uint64_t>());
  const auto sender = body.value<std::uint32_t>();
  const auto put = body.value<std::uint64_t>();
  const auto bytes = body.value<double>();
  const std::string type = body.text();
  arrive(get, sender, put, bytes, sim::Payload::from_wire(type, body.text()));
}

// At the process of the get, whose home is elsewhere.
void PostOffice::arrive(std::uint32_t get, std::uint32_t sender, std::uint64_t put, double bytes,
                        sim::Payload payload) {
  const Record record = take(gets_, get);
  if (!record || record->is_done()) {
    const Failed failed{ActivityState::failed, Failure::peer};
    if (sender != self_) return report_broken(sender, false, put, failed);
    if (const Record own = take(puts_, static_cast<std::uint32_t>(put))) end(own, failed);
    return;
  }
  record->payload = std::move(payload);
  record->amount = bytes;
  count(*record);
  kernel_.activities().finish(*record, ActivityState::finished, Failure::none);
  if (sender != self_) report_arrival(sender, put);
  else put_has_arrived(static_cast<std::uint32_t>(put));
}

void PostOffice::on_content(std::uint32_t process, Unpacker& body) {
  Arriving arriving;
  arriving.is_at_home = body.value<bool>();
  arriving.slot = body.value<std::uint32_t>();
  arriving.put = body.value<std::uint64_t>();
  arriving.bytes = body.value<double>();
  arriving.type = body.text();
  arriving.content_bytes = body.value<std::uint64_t>();
  arriving.rest = body.value<std::uint64_t>();
  const auto transfer = body.value<std::uint32_t>();
  arriving_[{process, transfer}] = std::move(arriving);
}

void PostOffice::on_part(std::uint32_t process, Unpacker& body) {
  const auto found = arriving_.find({process, body.value<std::uint32_t>()});
  if (found == arriving_.end()) return;
  Arriving& arriving = found->second;
  arriving.rest -= body.value<std::uint64_t>();
  arriving.content += body.text();
  if (arriving.content.size() < arriving.content_bytes || arriving.rest > 0) return;
  Arriving complete = std::move(arriving);
  arriving_.erase(found);
  sim::Payload payload = sim::Payload::from_wire(std::move(complete.type), std::move(complete.content));
  if (!complete.is_at_home) return arrive(complete.slot, process, complete.put, complete.bytes, std::move(payload));
  const auto awaited = awaited_.find(complete.slot);
  if (awaited == awaited_.end()) return;
  const Record record = std::move(awaited->second);
  awaited_.erase(awaited);
  if (record->is_done()) return;
  record->payload = std::move(payload);
  count(*record);
  kernel_.activities().finish(*record, ActivityState::finished, Failure::none);
}

void PostOffice::on_stopped(std::uint32_t process, Unpacker& body) {
  const auto found = arriving_.find({process, body.value<std::uint32_t>()});
  if (found == arriving_.end()) return;
  const auto state = body.value<ActivityState>();
  const Failed failed{state, body.value<Failure>()};
  const Arriving arriving = std::move(found->second);
  arriving_.erase(found);
  stop(arriving, failed);
}

// No more of the content comes.
void PostOffice::stop(const Arriving& arriving, Failed failed) {
  Record record;
  if (arriving.is_at_home) {
    const auto awaited = awaited_.find(arriving.slot);
    if (awaited == awaited_.end()) return;
    record = std::move(awaited->second);
    awaited_.erase(awaited);
  } else {
    record = take(gets_, arriving.slot);
  }
  if (record) end(record, failed);
}

void PostOffice::on_arrived(Unpacker& body) {
  put_has_arrived(static_cast<std::uint32_t>(body.value<std::uint64_t>()));
}

void PostOffice::put_has_arrived(std::uint32_t put) {
  const Record record = take(puts_, put);
  if (!record || record->is_done()) return;
  kernel_.activities().finish(*record, ActivityState::finished, Failure::none);
}

void PostOffice::count(const ActivityRecord& record) {
  ++counters_.messages;
  counters_.bytes += record.amount;
}

void PostOffice::on_broken(Unpacker& body) {
  const bool is_get = body.value<bool>();
  const Record record = take(is_get ? gets_ : puts_, static_cast<std::uint32_t>(body.value<std::uint64_t>()));
  const auto state = body.value<ActivityState>();
  if (record) end(record, {state, body.value<Failure>()});
}

void PostOffice::lost(std::uint32_t process) {
  const Failed failed{ActivityState::failed, Failure::peer};
  for (const auto& [key, record] : std::exchange(stand_ins_, {})) {
    if (std::get<0>(key) == process) end(Record(&record->present()), failed);
    else stand_ins_[key] = record;
  }
  std::vector<Arriving> cut;
  for (auto at = arriving_.begin(); at != arriving_.end();) {
    if (at->first.first != process) {
      ++at;
      continue;
    }
    cut.push_back(std::move(at->second));
    at = arriving_.erase(at);
  }
  for (const Arriving& arriving : cut) stop(arriving, failed);
  std::vector<Record> broken, homeless;
  for (const Side side : {Side::put, Side::get}) {
    auto& all = side == Side::put ? puts_ : gets_;
    for (auto at = all.begin(); at != all.end();) {
      const Sent& sent = at->second;
      const bool has_lost_partner = sent.partner == process;
      const bool has_lost_home = sent.home == process && !sent.partner;
      if (has_lost_partner || (has_lost_home && side == Side::put)) broken.push_back(sent.record);
      else if (has_lost_home) homeless.push_back(sent.record);
      at = has_lost_partner || has_lost_home ? all.erase(at) : std::next(at);
    }
  }
  kernel_.exchange().lose_homes(process);
  for (const Record& record : broken) end(record, failed);
  // A get has met no put yet, and can wait at another home.
  for (const Record& record : homeless) {
    if (record->is_done()) continue;
    record->state = ActivityState::starting;
    post(*record);
  }
}

}  // namespace rehearse::real
