// SPDX-License-Identifier: MIT
//
// The receiver of a stream: order, delivery and acknowledgements.
#include <algorithm>

#include "simcore/packet/endpoints.hpp"
#include "simcore/packet/fabric.hpp"

namespace rehearse::packet {

void Endpoints::receive_data(Index index, const Packet& packet, Picoseconds now) {
  if (packet.flags & synchronise)
    return answer(index,
                  {0, 0, packet.stamp, nothing,
                   static_cast<std::uint16_t>(control | synchronise | (packet.flags & repeated))},
                  now);
  if (packet.flags & establish) return;
  switch (parameters_.transport) {
    case Transport::raw: return receive_raw(index, packet);
    case Transport::rdma: return receive_rdma(index, packet, now);
    default: return receive_segment(index, packet, now);
  }
}

// In any order; `expected` counts the bytes that have arrived.
void Endpoints::receive_raw(Index index, const Packet& packet) {
  connections_[index].receiver.expected += packet.length;
  deliver(index);
}

void Endpoints::deliver(Index index) {
  Connection& connection = connections_[index];
  if (parameters_.transport == Transport::raw) {
    if (connection.messages.empty()) return;
    if (connection.receiver.expected + connection.lost < connection.messages.front().end) return;
    complete(index, connection.messages.front(), connection.lost > 0);
    connection.messages.pop_front();
    return;
  }
  if (parameters_.streams > 1) return deliver_streams(index);
  while (connection.delivered < connection.messages.size()) {
    const Message& message = connection.messages[connection.delivered];
    if (message.end > connection.receiver.expected) return;
    ++connection.delivered;
    complete(index, message, false);
  }
}

// A message is delivered when it has arrived and all messages before it in its stream are delivered.
void Endpoints::deliver_streams(Index index) {
  Connection& connection = connections_[index];
  const ReceivingEnd& receiver = connection.receiver;
  const bool has_early = receiver.early && !receiver.early->empty();
  const std::uint64_t arrived = has_early ? receiver.early->ranges().back().end : receiver.expected;
  blocked_.clear();
  for (std::uint32_t i = connection.delivered; i < connection.messages.size(); ++i) {
    Message& message = connection.messages[i];
    if (message.begin >= arrived) break;
    if (message.is_delivered || std::ranges::find(blocked_, message.stream) != blocked_.end()) continue;
    const std::uint64_t begin = std::max(message.begin, receiver.expected);
    const bool is_whole = begin >= message.end ||
                          (has_early && receiver.early->bytes_in({begin, message.end}) == message.end - begin);
    if (is_whole) {
      complete(index, message, false);
      message.is_delivered = true;
    } else {
      blocked_.push_back(message.stream);
    }
  }
  while (connection.delivered < connection.messages.size() && connection.messages[connection.delivered].is_delivered)
    ++connection.delivered;
}

void Endpoints::receive_segment(Index index, const Packet& packet, Picoseconds now) {
  Connection& connection = connections_[index];
  ReceivingEnd& receiver = connection.receiver;
  note_mark(index, packet, now);
  const std::uint64_t end = packet.number + packet.length;
  if (end <= receiver.expected) {
    receiver.is_stamp_repeated = true;
    return acknowledge(index, nullptr, now);
  }
  if (packet.number > receiver.expected) {
    if (!receiver.early) receiver.early = std::make_unique<RangeList>();
    const Range block = receiver.early->add({packet.number, end});
    if (parameters_.streams > 1) deliver_streams(index);
    return acknowledge(index, &block, now);
  }
  if (receiver.pending == 0) receiver.stamp = packet.stamp;
  receiver.is_stamp_repeated = (packet.flags & repeated) || (receiver.pending > 0 && receiver.is_stamp_repeated);
  receiver.expected = end;
  ++receiver.pending;
  bool is_urgent = false;
  if (receiver.early && !receiver.early->empty()) {
    is_urgent = true;
    receiver.expected = receiver.early->first_missing(end);
    receiver.early->remove_before(receiver.expected);
  }
  deliver(index);
  if (is_urgent && !receiver.early->empty()) {
    const Range block = receiver.early->ranges().front();
    return acknowledge(index, &block, now);
  }
  const std::uint32_t patience = parameters_.transport == Transport::window ? 1 : parameters_.delayed_ack;
  if (is_urgent || receiver.pending >= patience) return acknowledge(index, nullptr, now);
  if (receiver.timer.deadline == no_date)
    set_timer(index, TimerKind::acknowledgement, now + parameters_.delayed_ack_timeout);
}

void Endpoints::receive_rdma(Index index, const Packet& packet, Picoseconds now) {
  Connection& connection = connections_[index];
  ReceivingEnd& receiver = connection.receiver;
  note_mark(index, packet, now);
  if (packet.number > receiver.expected) {
    if (receiver.has_refused) return;
    receiver.has_refused = true;
    receiver.pending = 0;
    return answer(index, {receiver.expected, 0, 0, nothing, control | refused | repeated}, now);
  }
  if (packet.number < receiver.expected) return acknowledge(index, nullptr, now);
  if (receiver.pending == 0) receiver.stamp = packet.stamp;
  receiver.is_stamp_repeated = (packet.flags & repeated) || (receiver.pending > 0 && receiver.is_stamp_repeated);
  receiver.has_refused = false;
  receiver.expected += packet.length;
  const std::uint32_t delivered = connection.delivered;
  deliver(index);
  if (connection.delivered > delivered || ++receiver.pending >= rdma_packets_per_answer)
    acknowledge(index, nullptr, now);
}

// RFC 3168: marks are echoed until the sender has reacted. RFC 8257: each change of marks is answered at once, so that
// the sender knows the share of marked bytes.
void Endpoints::note_mark(Index index, const Packet& packet, Picoseconds now) {
  ReceivingEnd& receiver = connections_[index].receiver;
  const bool is_marked = (packet.flags & congested) != 0;
  if (parameters_.transport == Transport::rdma) {
    const bool is_due = receiver.last_notification == no_date ||
                        now - receiver.last_notification >= RateControl::notification_gap;
    if (!is_marked || !is_due || parameters_.congestion != Congestion::dcqcn) return;
    receiver.last_notification = now;
    return answer(index, {0, 0, 0, nothing, control | notification}, now);
  }
  if (parameters_.congestion == Congestion::dctcp) {
    if (is_marked != receiver.is_congested && receiver.pending > 0) acknowledge(index, nullptr, now);
    receiver.is_congested = is_marked;
    return;
  }
  if (packet.flags & reduced) receiver.is_congested = false;
  if (is_marked) receiver.is_congested = true;
}

void Endpoints::acknowledge(Index index, const Range* block, Picoseconds now) {
  ReceivingEnd& receiver = connections_[index].receiver;
  receiver.pending = 0;
  receiver.timer.deadline = no_date;
  Answer made{receiver.expected, 0, receiver.stamp, nothing, control};
  if (receiver.is_congested) made.flags |= echo;
  if (receiver.is_stamp_repeated) made.flags |= repeated;
  if (block != nullptr) {
    made.flags |= repeated;
    if (uses_sack()) {
      made.flags |= selective;
      made.stamp = static_cast<std::uint32_t>(block->begin - receiver.expected);
      made.length = static_cast<std::uint32_t>(block->end - block->begin);
    }
  }
  answer(index, made, now);
}

void Endpoints::answer(Index index, const Answer& made, Picoseconds now) {
  Connection& connection = connections_[index];
  ReceivingEnd& receiver = connection.receiver;
  std::uint32_t place;
  if (free_answers_.empty()) {
    place = static_cast<std::uint32_t>(answers_.size());
    answers_.push_back(made);
  } else {
    place = free_answers_.back();
    free_answers_.pop_back();
    answers_[place] = made;
  }
  if (receiver.first_answer == nothing) receiver.first_answer = place;
  else answers_[receiver.last_answer].next = place;
  receiver.last_answer = place;
  if (parameters_.arbitration == Arbitration::turns && receiver.offered > 0) return;
  ++receiver.offered;
  fabric_.offer(fabric_.paths()[connection.back], 2 * index + 1, 1, now);
}

Offer Endpoints::make_answer(Index index, Packet& packet) {
  Connection& connection = connections_[index];
  ReceivingEnd& receiver = connection.receiver;
  const bool takes_turns = parameters_.arbitration == Arbitration::turns;
  if (connection.phase == Phase::closed || receiver.first_answer == nothing) {
    if (takes_turns) {
      receiver.offered = 0;
      if (connection.phase == Phase::closed) retire_if_done(index);
    }
    return Offer::none;
  }
  const std::uint32_t place = receiver.first_answer;
  const Answer& made = answers_[place];
  receiver.first_answer = made.next;
  packet = {};
  packet.hop = connection.back;
  packet.number = made.number;
  packet.flags = static_cast<std::uint16_t>(made.flags | answer_flag);
  packet.length = made.length;
  packet.stamp = made.stamp;
  free_answers_.push_back(place);
  ++connection.on_the_way;
  ++sent_;
  const bool has_more = receiver.first_answer != nothing;
  if (!takes_turns) --receiver.offered;
  else if (!has_more) receiver.offered = 0;
  return has_more ? Offer::more : Offer::last;
}

}  // namespace rehearse::packet
