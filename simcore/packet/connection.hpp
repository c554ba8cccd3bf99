// SPDX-License-Identifier: MIT
//
// A connection: one stream of messages from a sender to a receiver, and its state at both ends.
//
// Units: bytes of the stream; picoseconds.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simcore/packet/congestion.hpp"
#include "simcore/packet/packet.hpp"
#include "simcore/packet/rate_control.hpp"
#include "simcore/packet/ring.hpp"
#include "simcore/packet/round_trip.hpp"
#include "simcore/packet/scoreboard.hpp"

namespace rehearse::packet {

// A message is a range of bytes of the connection. One of 0 bytes takes one number and no byte on the wire.
struct Message {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t activity = 0;
  std::uint32_t stream = 0;  // messages of different streams are delivered independently
  bool is_empty = false;
  bool is_cancelled = false;
  bool is_delivered = false;
};

// One event for a date that moves often: an event that comes too early asks for the next one.
struct Timer {
  Picoseconds deadline = no_date;
  Picoseconds event = no_date;  // the date of the event that counts
};

enum class Phase : std::uint8_t { closed, idle, connecting, open, relay };  // relay: a path of packets from outside
enum class Recovery : std::uint8_t { none, fast, timeout };

struct FlowTotals {
  std::uint64_t retransmissions = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t drops = 0;  // of its packets, also of acknowledgements
  std::uint64_t recoveries = 0;
  Picoseconds timer_wait = 0;  // for timers that then expired

  FlowTotals& operator+=(const FlowTotals& other) {
    retransmissions += other.retransmissions;
    timeouts += other.timeouts;
    drops += other.drops;
    recoveries += other.recoveries;
    timer_wait += other.timer_wait;
    return *this;
  }
};

struct SendingEnd {
  std::uint64_t next = 0;          // the next byte to send
  std::uint64_t acknowledged = 0;  // all before it
  std::uint64_t limit = 0;         // the end of the last message
  std::uint64_t highest = 0;       // the end of all that was ever sent
  std::uint64_t recover = 0;       // the recovery ends when all before it is acknowledged
  std::uint64_t round_end = 0;     // dctcp: marks are counted for the data before it
  std::uint64_t reduced_end = 0;   // marks of the data before it have had their effect
  CongestionWindow window;
  std::uint64_t recovered_flight = 0;  // RFC 9937: bytes in flight when the recovery began
  std::uint64_t recovered = 0;         // delivered since
  std::uint64_t recovery_sent = 0;     // sent since
  std::uint64_t repeat_end = 0;        // `next` when the first hole was sent again
  RoundTrip round_trip;
  std::unique_ptr<Scoreboard> scoreboard;  // after the first SACK
  std::unique_ptr<RateControl> rate_control;
  Timer timer;
  Timer pace;
  Picoseconds may_start = 0;        // of the next packet, with a limited rate
  double picoseconds_per_byte = 0;  // of the payload; 0: no limit
  Picoseconds last_start = 0;
  std::uint32_t offered = 0;  // packets on offer at the link; with turns: 0 or 1
  std::uint32_t duplicates = 0;
  std::uint32_t message = 0;  // index of the message of `next` in the ring
  std::uint8_t attempts = 0;  // of opening
  Recovery recovery = Recovery::none;
  bool must_synchronise = false;
  bool must_establish = false;
  bool must_repeat = false;  // the first segment without acknowledgement
  bool must_tell_reduced = false;
  bool has_rescued = false;
  bool has_timed_out = false;  // and nothing was acknowledged since
};

struct ReceivingEnd {
  std::uint64_t expected = 0;
  std::unique_ptr<RangeList> early;  // out of order
  Timer timer;                       // delayed acknowledgement
  std::uint32_t pending = 0;         // segments without acknowledgement
  std::uint32_t stamp = 0;           // to echo
  std::uint32_t offered = 0;
  std::uint32_t first_answer = nothing;  // that wait at the host
  std::uint32_t last_answer = nothing;
  std::uint32_t answers = 0;
  Picoseconds last_notification = no_date;  // dcqcn
  bool is_stamp_repeated = false;
  bool is_congested = false;  // ECN: to echo
  bool has_refused = false;   // rdma: the sender knows of the gap
};

struct Connection {
  SendingEnd sender;
  ReceivingEnd receiver;
  Ring<Message> messages;       // not yet acknowledged
  std::uint32_t delivered = 0;  // so many of the first ones are with the receiver
  std::uint32_t forward = 0;    // places in Paths
  std::uint32_t back = 0;
  std::uint32_t on_the_way = 0;  // packets
  Phase phase = Phase::closed;
  bool is_persistent = false;  // stays when all is acknowledged
  bool is_suspended = false;
  bool is_retired = false;
  std::uint64_t lost = 0;  // raw: bytes
  FlowTotals totals;
};

}  // namespace rehearse::packet
