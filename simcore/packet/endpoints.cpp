// SPDX-License-Identifier: MIT
//
// Connections from opening to retirement, and their timers.
#include "simcore/packet/endpoints.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/packet/fabric.hpp"
#include "simcore/packet/observer.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::packet {

std::uint32_t Endpoints::open(std::span<const std::uint32_t> forward, std::span<const std::uint32_t> back,
                              bool is_persistent) {
  Index index;
  if (free_.empty()) {
    index = count();
    connections_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Connection& connection = connections_[index];
  connection.forward = fabric_.paths().add(forward, 2 * index);
  connection.back = fabric_.paths().add(back, 2 * index + 1);
  connection.phase = Phase::idle;
  connection.is_persistent = is_persistent;
  connection.sender.window.start(parameters_);
  if (parameters_.congestion == Congestion::dcqcn)
    connection.sender.rate_control =
        std::make_unique<RateControl>(1e12 / fabric_.link(forward.front()).picoseconds_per_byte);
  return index;
}

std::uint32_t Endpoints::open_relay(std::span<const std::uint32_t> links) {
  const Index index = open(links, links, true);
  connections_[index].phase = Phase::relay;
  return index;
}

void Endpoints::relay(Index index, std::uint64_t number, std::uint32_t bytes, Picoseconds now) {
  Connection& connection = connections_[index];
  Packet packet;
  packet.number = number;
  packet.hop = connection.forward;
  packet.length = bytes;
  ++connection.on_the_way;
  ++sent_;
  ++relays_inside_;
  fabric_.inject(packet, now);
}

void Endpoints::end_relay(const Packet& packet, Picoseconds now, bool is_lost) {
  --relays_inside_;
  relayed_.push_back({packet.number, now, is_lost, (packet.flags & congested) != 0});
}

void Endpoints::send(Index index, std::uint64_t bytes, std::uint32_t activity, Picoseconds now, std::uint32_t stream) {
  Connection& connection = connections_[index];
  SendingEnd& sender = connection.sender;
  const std::uint64_t length = std::max<std::uint64_t>(bytes, 1);
  REHEARSE_ASSERT(sender.limit + length <= stream_limit, "a stream has room for the message");
  const bool is_idle = sender.acknowledged == sender.limit;
  if (parameters_.slow_start_after_idle && is_idle && now - sender.last_start > sender.round_trip.timeout())
    sender.window.restart(parameters_);
  connection.messages.push_back({sender.limit, sender.limit + length, activity, stream, bytes == 0, false, false});
  sender.limit += length;
  if (connection.phase == Phase::idle) begin(index, now);
  else wake_sender(index, now);
}

void Endpoints::begin(Index index, Picoseconds now) {
  Connection& connection = connections_[index];
  const bool connects = parameters_.transport == Transport::tcp && parameters_.connects;
  connection.phase = connects ? Phase::connecting : Phase::open;
  connection.sender.must_synchronise = connects;
  wake_sender(index, now);
}

void Endpoints::complete(Index index, const Message& message, bool has_failed) {
  if (!message.is_cancelled && !message.is_delivered) completions_.push_back({message.activity, index, has_failed});
}

void Endpoints::cancel(Index index, std::uint32_t activity) {
  Connection& connection = connections_[index];
  Ring<Message>& messages = connection.messages;
  for (std::uint32_t i = connection.delivered; i < messages.size(); ++i) {
    if (messages[i].activity != activity || messages[i].is_cancelled || messages[i].is_delivered) continue;
    messages[i].is_cancelled = true;
    if (!connection.is_persistent) {
      connection.phase = Phase::closed;
    } else if (i + 1 == messages.size() && connection.sender.highest <= messages[i].begin) {
      connection.sender.limit = messages[i].begin;
      messages.pop_back();
    }
    break;
  }
  retire_if_done(index);
}

void Endpoints::fail(Index index) {
  Connection& connection = connections_[index];
  for (std::uint32_t i = connection.delivered; i < connection.messages.size(); ++i)
    complete(index, connection.messages[i], true);
  connection.phase = Phase::closed;
  retire_if_done(index);
}

void Endpoints::resume(Index index, Picoseconds now) {
  connections_[index].is_suspended = false;
  wake_sender(index, now);
}

void Endpoints::set_rate(Index index, double bytes_per_second, Picoseconds now) {
  SendingEnd& sender = connections_[index].sender;
  sender.picoseconds_per_byte = std::isinf(bytes_per_second) ? 0 : 1e12 / bytes_per_second;
  sender.may_start = now;
  wake_sender(index, now);
}

std::uint64_t Endpoints::remaining(Index index, std::uint32_t activity) const {
  const Connection& connection = connections_[index];
  for (std::uint32_t i = connection.delivered; i < connection.messages.size(); ++i) {
    const Message& message = connection.messages[i];
    if (message.activity != activity || message.is_delivered) continue;
    const std::uint64_t arrived = std::clamp(connection.receiver.expected, message.begin, message.end);
    return message.is_empty ? 0 : message.end - arrived;
  }
  return 0;
}

void Endpoints::withdraw(std::uint32_t sender, std::uint32_t packets) {
  Connection& connection = connections_[sender / 2];
  (sender % 2 ? connection.receiver.offered : connection.sender.offered) -= packets;
  if (connection.phase == Phase::closed) retire_if_done(sender / 2);
}

void Endpoints::extend(std::uint32_t sender) {
  Connection& connection = connections_[sender / 2];
  ++(sender % 2 ? connection.receiver.offered : connection.sender.offered);
}

void Endpoints::retire_if_done(Index index) {
  Connection& connection = connections_[index];
  if (connection.is_retired || connection.on_the_way > 0) return;
  if (connection.sender.offered > 0 || connection.receiver.offered > 0) return;
  const bool is_done = !connection.is_persistent && connection.messages.empty();
  if (connection.phase != Phase::closed && !is_done) return;
  connection.phase = Phase::closed;
  connection.is_retired = true;
  retired_.push_back(index);
}

void Endpoints::recycle(Index index) {
  if (observer_ != nullptr) observer_->on_close(index);
  Connection& connection = connections_[index];
  closed_ += connection.totals;
  for (std::uint32_t answer = connection.receiver.first_answer; answer != nothing; answer = answers_[answer].next)
    free_answers_.push_back(answer);
  fabric_.paths().remove(connection.forward);
  fabric_.paths().remove(connection.back);
  connection = {};
  free_.push_back(index);
}

FlowTotals Endpoints::totals() const {
  FlowTotals sum = closed_;
  for (const Connection& connection : connections_) sum += connection.totals;
  return sum;
}

void Endpoints::receive(std::uint32_t end, const Packet& packet, Picoseconds now) {
  const Index index = end / 2;
  Connection& connection = connections_[index];
  --connection.on_the_way;
  ++arrived_;
  if (connection.phase == Phase::relay) return end_relay(packet, now, false);
  if (connection.phase == Phase::closed) return retire_if_done(index);
  if (end % 2) receive_answer(index, packet, now);
  else receive_data(index, packet, now);
  if (connection.on_the_way == 0) retire_if_done(index);
}

void Endpoints::lose(std::uint32_t end, const Packet& packet, Picoseconds now) {
  const Index index = end / 2;
  Connection& connection = connections_[index];
  --connection.on_the_way;
  ++lost_;
  ++connection.totals.drops;
  if (connection.phase == Phase::relay) return end_relay(packet, now, true);
  if (parameters_.transport == Transport::raw && connection.phase != Phase::closed) {
    connection.lost += packet.length;
    deliver(index);
  }
  retire_if_done(index);
}

Timer& Endpoints::timer_of(Connection& connection, TimerKind kind) {
  if (kind == TimerKind::acknowledgement) return connection.receiver.timer;
  return kind == TimerKind::pace ? connection.sender.pace : connection.sender.timer;
}

void Endpoints::set_timer(Index index, TimerKind kind, Picoseconds deadline) {
  Timer& timer = timer_of(connections_[index], kind);
  timer.deadline = deadline;
  if (timer.event <= deadline) return;
  timer.event = deadline;
  timers_.push({deadline, fabric_.next_order(), index * 4 + static_cast<std::uint32_t>(kind)});
}

void Endpoints::step() {
  const Event event = timers_.top();
  timers_.pop();
  ++handled_;
  const Index index = event.subject / 4;
  const auto kind = static_cast<TimerKind>(event.subject % 4);
  Timer& timer = timer_of(connections_[index], kind);
  if (timer.event != event.date) return;
  timer.event = no_date;
  if (timer.deadline == no_date || connections_[index].phase == Phase::closed) return;
  if (timer.deadline > event.date) return set_timer(index, kind, timer.deadline);
  timer.deadline = no_date;
  switch (kind) {
    case TimerKind::retransmission: return expire(index, event.date);
    case TimerKind::pace:
      wake_sender(index, event.date);
      if (observer_ != nullptr) observer_->on_sender(index, event.date);
      return;
    case TimerKind::acknowledgement: return acknowledge(index, nullptr, event.date);
  }
}

}  // namespace rehearse::packet
