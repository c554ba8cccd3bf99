// SPDX-License-Identifier: MIT
//
// The sender of a stream: the next packet, and the effects of acknowledgements.
#include <algorithm>

#include "simcore/packet/endpoints.hpp"
#include "simcore/packet/fabric.hpp"
#include "simcore/packet/observer.hpp"

namespace rehearse::packet {

void Endpoints::wake_sender(Index index, Picoseconds now) {
  Connection& connection = connections_[index];
  SendingEnd& sender = connection.sender;
  if (parameters_.arbitration == Arbitration::turns) {
    if (sender.offered > 0 || !can_send(connection)) return;
    sender.offered = 1;
    return fabric_.offer(fabric_.paths()[connection.forward], 2 * index, 1, now);
  }
  const std::uint32_t packets = sendable(connection);
  if (packets <= sender.offered) return;
  const std::uint32_t more = packets - sender.offered;
  sender.offered = packets;
  fabric_.offer(fabric_.paths()[connection.forward], 2 * index, more, now);
}

bool Endpoints::can_send(const Connection& connection) const {
  const SendingEnd& sender = connection.sender;
  if (connection.phase == Phase::closed || connection.is_suspended) return false;
  if (sender.must_synchronise || sender.must_establish) return true;
  Segment segment;
  return find_segment(connection, segment);
}

// The number of packets that the windows permit at present.
std::uint32_t Endpoints::sendable(const Connection& connection) const {
  if (!can_send(connection)) return 0;
  const SendingEnd& sender = connection.sender;
  std::uint64_t end = sender.limit;
  if (parameters_.transport != Transport::raw) {
    const auto window = static_cast<std::uint64_t>(sender.window.bytes());
    end = std::min(end, sender.acknowledged + std::min(window, parameters_.window));
  }
  if (connection.phase != Phase::open || end <= sender.next) return 1;
  const std::uint64_t packets = (end - sender.next + parameters_.payload() - 1) / parameters_.payload();
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(packets, 1, 1u << 30));
}

Offer Endpoints::next_packet(std::uint32_t sender, Packet& packet, Picoseconds now) {
  return sender % 2 ? make_answer(sender / 2, packet) : make_data(sender / 2, packet, now);
}

Offer Endpoints::make_data(Index index, Packet& packet, Picoseconds now) {
  Connection& connection = connections_[index];
  SendingEnd& sender = connection.sender;
  const bool takes_turns = parameters_.arbitration == Arbitration::turns;
  const auto end_turn = [&](Offer offer) {
    if (takes_turns && offer != Offer::more) sender.offered = 0;
    else if (!takes_turns && offer != Offer::none) --sender.offered;
    return offer;
  };
  if (connection.phase == Phase::closed) {
    end_turn(Offer::none);
    if (takes_turns) retire_if_done(index);
    return Offer::none;
  }
  if (connection.is_suspended) return end_turn(Offer::none);
  packet = {};
  packet.hop = connection.forward;
  packet.stamp = stamp_of(now);
  Segment segment;
  if (sender.must_synchronise) {
    sender.must_synchronise = false;
    packet.flags = control | synchronise | (sender.attempts > 0 ? repeated : 0);
    set_timer(index, TimerKind::retransmission, now + (RoundTrip::first_timeout << std::min<int>(sender.attempts, 7)));
  } else if (sender.must_establish) {
    sender.must_establish = false;
    packet.flags = control | establish;
  } else if (!find_segment(connection, segment)) {
    return end_turn(Offer::none);
  } else if (sender.may_start > now) {
    set_timer(index, TimerKind::pace, sender.may_start);
    return end_turn(Offer::none);
  } else {
    start_segment(index, segment, packet, now);
  }
  ++connection.on_the_way;
  ++sent_;
  if (!can_send(connection)) return end_turn(Offer::last);
  if (sender.may_start <= now) return end_turn(Offer::more);
  set_timer(index, TimerKind::pace, sender.may_start);
  return end_turn(Offer::last);
}

Endpoints::Segment Endpoints::segment_at(const Connection& connection, std::uint64_t begin) const {
  const Ring<Message>& messages = connection.messages;
  std::uint32_t i = begin >= connection.sender.next ? connection.sender.message : 0;
  while (messages[i].end <= begin) ++i;
  const bool is_empty = messages[i].is_empty;
  const std::uint64_t most = begin + parameters_.payload();
  std::uint64_t end = messages[i].end;
  // Nagle's algorithm fills a segment from several messages.
  for (++i; parameters_.has_nagle && !is_empty && end < most && i < messages.size() && !messages[i].is_empty; ++i)
    end = messages[i].end;
  return {begin, std::min(most, end), is_empty};
}

bool Endpoints::find_segment(const Connection& connection, Segment& segment) const {
  const SendingEnd& sender = connection.sender;
  if (connection.phase != Phase::open) return false;
  if (sender.recovery == Recovery::none) return find_new(connection, segment);
  if (sender.must_repeat) {
    segment = segment_at(connection, sender.acknowledged);
    return true;
  }
  if (!uses_sack() || !sender.scoreboard) return find_new(connection, segment);
  if (static_cast<double>(in_flight(connection) + parameters_.payload()) > sender.window.bytes()) return false;
  return find_repeated(connection, segment);
}

bool Endpoints::find_new(const Connection& connection, Segment& segment) const {
  const SendingEnd& sender = connection.sender;
  if (sender.next >= sender.limit) return false;
  segment = segment_at(connection, sender.next);
  if (parameters_.transport == Transport::raw) return true;
  // RFC 1122, section 4.2.3.4: a short segment waits while data are in flight.
  const bool is_short = segment.end - segment.begin < parameters_.payload();
  if (parameters_.has_nagle && is_short && sender.next > sender.acknowledged) return false;
  const std::uint64_t flight = segment.end - sender.acknowledged;
  if (flight > parameters_.window && sender.next > sender.acknowledged) return false;
  if (sender.recovery != Recovery::none && uses_sack()) return true;  // the window has been compared
  const std::uint64_t arrived = sender.scoreboard ? sender.scoreboard->received() : 0;
  return static_cast<double>(flight - arrived) <= sender.window.bytes() || sender.next == sender.acknowledged;
}

void Endpoints::start_segment(Index index, const Segment& segment, Packet& packet, Picoseconds now) {
  Connection& connection = connections_[index];
  SendingEnd& sender = connection.sender;
  packet.number = segment.begin;
  packet.length = static_cast<std::uint32_t>(segment.end - segment.begin);
  packet.flags = segment.is_empty ? empty : 0;
  if (segment.begin < sender.highest) {
    packet.flags |= repeated;
    ++connection.totals.retransmissions;
    if (sender.scoreboard) sender.scoreboard->note_repeated(sender.acknowledged, {segment.begin, segment.end});
  }
  if (sender.must_tell_reduced) {
    packet.flags |= reduced;
    sender.must_tell_reduced = false;
  }
  if (segment.begin == sender.acknowledged) {
    sender.must_repeat = false;
    sender.repeat_end = sender.next;
  }
  if (sender.recovery == Recovery::fast) sender.recovery_sent += packet.length;
  if (segment.begin == sender.next) {
    sender.next = segment.end;
    while (sender.message + 1 < connection.messages.size() && connection.messages[sender.message].end <= sender.next)
      ++sender.message;
  }
  sender.highest = std::max(sender.highest, segment.end);
  sender.last_start = now;
  if (sender.picoseconds_per_byte > 0 || sender.rate_control) pace(connection, packet.length, now);
  if (parameters_.transport != Transport::raw && sender.timer.deadline == no_date)
    set_timer(index, TimerKind::retransmission, now + sender.round_trip.timeout());
}

void Endpoints::pace(Connection& connection, std::uint32_t payload, Picoseconds now) {
  SendingEnd& sender = connection.sender;
  double gap = payload * sender.picoseconds_per_byte;
  if (sender.rate_control) {
    const std::uint32_t bytes = payload + parameters_.overhead();
    sender.rate_control->send(bytes, now);
    gap = std::max(gap, bytes * 1e12 / sender.rate_control->rate());
  }
  sender.may_start = std::max(now, sender.may_start) + static_cast<Picoseconds>(gap + 0.5);
}

void Endpoints::receive_answer(Index index, const Packet& packet, Picoseconds now) {
  take_answer(index, packet, now);
  if (observer_ != nullptr) observer_->on_sender(index, now);
}

void Endpoints::measure(Index index, const Packet& packet, Picoseconds now) {
  const Picoseconds time = time_since(packet.stamp, now);
  connections_[index].sender.round_trip.measure(time, parameters_.min_rto);
  if (observer_ != nullptr) observer_->on_round_trip(index, time, now);
}

void Endpoints::take_answer(Index index, const Packet& packet, Picoseconds now) {
  Connection& connection = connections_[index];
  SendingEnd& sender = connection.sender;
  if (packet.flags & synchronise) {
    if (connection.phase != Phase::connecting) return;
    connection.phase = Phase::open;
    sender.must_synchronise = false;
    sender.must_establish = true;
    sender.timer.deadline = no_date;
    if (!(packet.flags & repeated)) measure(index, packet, now);
    return wake_sender(index, now);
  }
  if (packet.flags & notification) {
    if (sender.rate_control) sender.rate_control->notify(now);
    return;
  }
  const std::uint64_t before = sender.acknowledged;
  const std::uint64_t arrived = sender.scoreboard ? sender.scoreboard->received() : 0;
  const std::uint64_t lost_before = sender.scoreboard ? sender.scoreboard->lost_before() : 0;
  if (packet.flags & selective) {
    if (!sender.scoreboard) sender.scoreboard = std::make_unique<Scoreboard>();
    const std::uint64_t begin = packet.number + packet.stamp;
    const Range block{std::max(begin, sender.acknowledged), begin + packet.length};
    if (block.begin < block.end) sender.scoreboard->add(block);
  }
  if (packet.number > before) advance(index, packet, now);
  else if (packet.number == before && before < sender.next && !(packet.flags & refused))
    count_duplicate(connection, packet);
  if (sender.recovery == Recovery::fast && sender.scoreboard) {
    if (sender.acknowledged > before) sender.repeat_end = sender.next;
    repeat_again(connection);
    const bool is_safe = sender.acknowledged > before && sender.scoreboard->lost_before() == lost_before;
    limit_recovery(connection, sender.acknowledged - before + sender.scoreboard->received() - arrived, is_safe);
  }
  react_to_marks(connection, packet, sender.acknowledged - before);
  if (packet.flags & refused && packet.number >= sender.acknowledged) {
    go_back(connection, packet.number);
    sender.timer.deadline = no_date;
  }
  wake_sender(index, now);
}

void Endpoints::advance(Index index, const Packet& packet, Picoseconds now) {
  Connection& connection = connections_[index];
  SendingEnd& sender = connection.sender;
  const std::uint64_t acknowledged = packet.number - sender.acknowledged;
  // A sender that its application or receiver limits does not learn what the network can carry.
  const bool is_limited = sender.next < sender.limit ||
                          2 * static_cast<double>(sender.next - sender.acknowledged) >= sender.window.bytes();
  if (!(packet.flags & (repeated | selective))) measure(index, packet, now);
  if (sender.scoreboard) sender.scoreboard->advance(sender.acknowledged, packet.number);
  sender.acknowledged = packet.number;
  if (sender.next < sender.acknowledged) {
    sender.next = sender.acknowledged;
    while (sender.message + 1 < connection.messages.size() && connection.messages[sender.message].end <= sender.next)
      ++sender.message;
  }
  sender.duplicates = 0;
  sender.has_timed_out = false;
  if (sender.recovery != Recovery::none) recover_partly(connection, acknowledged);
  if (sender.recovery != Recovery::fast && is_limited)
    sender.window.grow(parameters_, acknowledged, sender.round_trip.smoothed(), now);
  forget_messages(connection);
  if (sender.acknowledged == sender.next && sender.acknowledged >= sender.highest) sender.timer.deadline = no_date;
  else set_timer(index, TimerKind::retransmission, now + sender.round_trip.timeout());
}

void Endpoints::forget_messages(Connection& connection) {
  SendingEnd& sender = connection.sender;
  while (!connection.messages.empty() && connection.messages.front().end <= sender.acknowledged) {
    connection.messages.pop_front();
    --connection.delivered;
    if (sender.message > 0) --sender.message;
  }
}

void Endpoints::react_to_marks(Connection& connection, const Packet& packet, std::uint64_t acknowledged) {
  SendingEnd& sender = connection.sender;
  const bool is_marked = (packet.flags & echo) != 0;
  if (parameters_.congestion == Congestion::dctcp) {
    sender.window.count_marks(acknowledged, is_marked);
    if (sender.acknowledged >= sender.round_end) {
      sender.window.end_of_window();
      sender.round_end = sender.next;
    }
  }
  if (!is_marked || sender.recovery != Recovery::none || sender.acknowledged < sender.reduced_end) return;
  sender.window.reduce_for_marks(parameters_, handed_over(connection));
  sender.reduced_end = sender.next;
  sender.must_tell_reduced = true;
}

}  // namespace rehearse::packet
