// SPDX-License-Identifier: MIT
//
// Losses: duplicates and SACK evidence, the recovery that follows, and the timer.
//
// Source: RFC 6582 (NewReno), RFC 6675 (SACK), RFC 6298 (timer). With reno and without SACK, the first new
//         acknowledgement ends a recovery (RFC 5681).
#include <algorithm>

#include "simcore/packet/endpoints.hpp"
#include "simcore/packet/fabric.hpp"
#include "simcore/packet/observer.hpp"

namespace rehearse::packet {

std::uint64_t Endpoints::in_flight(const Connection& connection) const {
  const SendingEnd& sender = connection.sender;
  if (sender.scoreboard) return sender.scoreboard->in_flight(sender.acknowledged, sender.next);
  return sender.next - sender.acknowledged;
}

// RFC 5681, FlightSize: what the window has handed over, also that which waits at the host.
std::uint64_t Endpoints::handed_over(const Connection& connection) const {
  const SendingEnd& sender = connection.sender;
  const auto window = std::min(static_cast<std::uint64_t>(sender.window.bytes()), parameters_.window);
  return std::max(std::min(window, sender.limit - sender.acknowledged), sender.next - sender.acknowledged);
}

// RFC 9937: during a recovery with SACK, so much leaves as has arrived, in proportion to the reduction. `is_safe`: the
// acknowledgement advanced and reported no further loss.
void Endpoints::limit_recovery(Connection& connection, std::uint64_t delivered, bool is_safe) {
  SendingEnd& sender = connection.sender;
  if (!sender.scoreboard || parameters_.congestion == Congestion::none || parameters_.transport != Transport::tcp)
    return;
  sender.recovered += delivered;
  const double flight = static_cast<double>(in_flight(connection)), least = sender.window.threshold();
  const double arrived = static_cast<double>(sender.recovered), sent = static_cast<double>(sender.recovery_sent);
  double more;
  if (flight > least) more = arrived * least / static_cast<double>(sender.recovered_flight) - sent;
  else
    more = std::min(least - flight,
                    std::max(arrived - sent, static_cast<double>(delivered)) + (is_safe ? parameters_.payload() : 0));
  sender.window.set_bytes(flight + std::max(more, 0.0));
}

// The first hole was sent again, and data that was sent after it has arrived: it is lost again, which is another
// congestion (RFC 5681, section 4.3).
void Endpoints::repeat_again(Connection& connection) {
  SendingEnd& sender = connection.sender;
  if (sender.must_repeat || sender.scoreboard->highest() < sender.repeat_end + 3 * parameters_.payload()) return;
  sender.must_repeat = true;
  sender.recover = sender.next;
  sender.recovered_flight = std::max<std::uint64_t>(in_flight(connection), 1);
  sender.recovered = sender.recovery_sent = 0;
  sender.window.set_bytes(sender.window.threshold());
  sender.window.reduce(parameters_, sender.recovered_flight);
}

void Endpoints::count_duplicate(Connection& connection, const Packet& packet) {
  SendingEnd& sender = connection.sender;
  if (parameters_.transport == Transport::rdma) return;
  ++sender.duplicates;
  if (uses_sack() && (packet.flags & selective) && sender.recovery != Recovery::timeout)
    sender.scoreboard->find_lost(sender.acknowledged, parameters_.payload());
  if (sender.recovery == Recovery::fast && !uses_sack() && parameters_.congestion != Congestion::none)
    sender.window.set_bytes(sender.window.bytes() + parameters_.payload());
  if (sender.recovery != Recovery::none || sender.acknowledged < sender.recover) return;
  const bool is_evident = sender.scoreboard && uses_sack() && sender.scoreboard->is_lost(sender.acknowledged);
  if (sender.duplicates >= 3 || is_evident) start_recovery(connection);
}

void Endpoints::start_recovery(Connection& connection) {
  SendingEnd& sender = connection.sender;
  ++connection.totals.recoveries;
  sender.window.reduce(parameters_, handed_over(connection));
  sender.recovered_flight = std::max<std::uint64_t>(sender.next - sender.acknowledged, 1);
  sender.recovered = sender.recovery_sent = 0;
  sender.recovery = Recovery::fast;
  sender.recover = sender.next;
  sender.must_repeat = true;
  sender.has_rescued = false;
  sender.must_tell_reduced = true;
  sender.reduced_end = sender.next;
  if (!uses_sack()) {
    if (parameters_.congestion != Congestion::none && parameters_.transport == Transport::tcp)
      sender.window.set_bytes(sender.window.threshold() + 3.0 * parameters_.payload());
    return;
  }
  if (!sender.scoreboard) sender.scoreboard = std::make_unique<Scoreboard>();
  const Segment first = segment_at(connection, sender.acknowledged);
  sender.scoreboard->forget_repeated();
  sender.scoreboard->lose_before(sender.acknowledged, first.end);
}

// Something was acknowledged during a recovery.
void Endpoints::recover_partly(Connection& connection, std::uint64_t acknowledged) {
  SendingEnd& sender = connection.sender;
  if (sender.acknowledged >= sender.recover) return end_recovery(connection);
  if (sender.recovery == Recovery::timeout) return;
  if (uses_sack()) {
    sender.scoreboard->find_lost(sender.acknowledged, parameters_.payload());
    return;
  }
  if (parameters_.congestion == Congestion::reno) return end_recovery(connection);
  sender.must_repeat = true;
  if (parameters_.congestion == Congestion::none || parameters_.transport != Transport::tcp) return;
  const double rest = sender.window.bytes() - static_cast<double>(acknowledged);
  sender.window.set_bytes(std::max(rest, 0.0) + parameters_.payload());
}

void Endpoints::end_recovery(Connection& connection) {
  SendingEnd& sender = connection.sender;
  if (sender.recovery == Recovery::fast && parameters_.transport == Transport::tcp &&
      parameters_.congestion != Congestion::none)
    sender.window.set_bytes(sender.window.threshold());
  sender.recovery = Recovery::none;
  sender.must_repeat = false;
}

void Endpoints::expire(Index index, Picoseconds now) {
  Connection& connection = connections_[index];
  SendingEnd& sender = connection.sender;
  if (connection.phase == Phase::connecting) {
    count_timeout(index, RoundTrip::first_timeout << std::min<int>(sender.attempts, 7), now);
    if (sender.attempts < 100) ++sender.attempts;
    sender.must_synchronise = true;
    wake_sender(index, now);
    if (observer_ != nullptr) observer_->on_sender(index, now);
    return;
  }
  if (sender.acknowledged >= sender.highest) return;
  count_timeout(index, sender.round_trip.timeout(), now);
  const std::uint64_t flight = sender.recovery == Recovery::fast ? static_cast<std::uint64_t>(sender.window.bytes())
                                                                 : handed_over(connection);
  sender.window.collapse(parameters_, flight, sender.has_timed_out);
  sender.round_trip.back_off();
  sender.has_timed_out = true;
  sender.duplicates = 0;
  sender.recover = sender.highest;
  sender.recovery = Recovery::timeout;
  sender.must_repeat = false;
  sender.has_rescued = true;
  if (uses_sack()) {
    if (!sender.scoreboard) sender.scoreboard = std::make_unique<Scoreboard>();
    sender.scoreboard->forget_repeated();
    sender.scoreboard->lose_before(sender.acknowledged, sender.next);
  } else {
    go_back(connection, sender.acknowledged);
  }
  wake_sender(index, now);
  if (observer_ != nullptr) observer_->on_sender(index, now);
}

void Endpoints::count_timeout(Index index, Picoseconds waited, Picoseconds now) {
  ++connections_[index].totals.timeouts;
  connections_[index].totals.timer_wait += waited;
  timer_waits_.add(now - waited, now);
  if (observer_ != nullptr) observer_->on_timeout(index, waited, now);
}

void Endpoints::go_back(Connection& connection, std::uint64_t to) const {
  connection.sender.next = to;
  connection.sender.message = 0;
  while (connection.sender.message + 1 < connection.messages.size() &&
         connection.messages[connection.sender.message].end <= to)
    ++connection.sender.message;
}

// RFC 6675, NextSeg: lost bytes, then new ones, then those that are only presumed lost, then the last segment once.
bool Endpoints::find_repeated(const Connection& connection, Segment& segment) const {
  const SendingEnd& sender = connection.sender;
  const Scoreboard& board = *sender.scoreboard;
  const auto take = [&](std::uint64_t begin) {
    segment = segment_at(connection, begin);
    segment.end = board.end_of_hole(begin, segment.end);
    return true;
  };
  if (const auto lost = board.next_missing(sender.acknowledged, false)) return take(*lost);
  if (find_new(connection, segment)) return true;
  if (sender.recovery != Recovery::fast || sender.next < sender.limit) return false;
  if (const auto presumed = board.next_missing(sender.acknowledged, true)) return take(*presumed);
  return false;
}

}  // namespace rehearse::packet
