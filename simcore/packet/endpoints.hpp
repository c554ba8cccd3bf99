// SPDX-License-Identifier: MIT
//
// The ends of connections: what they send next, and what follows from each packet that arrives.
//
// Shape:    a sender number is connection * 2, + 1 for the receiver's answers. Packets are made when the host's first
//           link takes them, so that none waits in memory at a host but answers.
// Files:    endpoints.cpp: connections and timers. sender.cpp: data and windows. recovery.cpp: losses. receiver.cpp:
//           data that arrives, and acknowledgements.
// Errors:   none; a raw message of which a packet was lost completes as failed.
// Threads:  none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/packet/connection.hpp"
#include "simcore/packet/covered_time.hpp"
#include "simcore/packet/event_heap.hpp"
#include "simcore/packet/parameters.hpp"

namespace rehearse::packet {

class Fabric;
class Observer;

enum class Offer : std::uint8_t { none, last, more };  // of the packets that a sender has

struct Completion {
  std::uint32_t activity = 0;
  std::uint32_t connection = 0;
  bool has_failed = false;
};

// A packet from outside that has left the network.
struct Relayed {
  std::uint64_t number = 0;
  Picoseconds date = 0;
  bool is_lost = false;
  bool is_marked = false;
};

class Endpoints {
 public:
  Endpoints(const Parameters& parameters, Fabric& fabric) : parameters_(parameters), fabric_(fabric) {}

  // Before the first packet.
  void observe(Observer& observer) { observer_ = &observer; }

  // ---- connections
  // Links in order, at least one. A connection that does not persist ends with its message.
  std::uint32_t open(std::span<const std::uint32_t> forward, std::span<const std::uint32_t> back, bool is_persistent);
  // Requires that the connection has room: bytes up to stream_limit. Messages with the same stream are delivered in
  // order; those of different streams do not wait for each other.
  void send(std::uint32_t connection, std::uint64_t bytes, std::uint32_t activity, Picoseconds now,
            std::uint32_t stream = 0);
  // The message is not reported. Bytes that were not sent are not sent, if no other message follows.
  void cancel(std::uint32_t connection, std::uint32_t activity);
  // All messages end as failed, and the connection closes.
  void fail(std::uint32_t connection);
  void suspend(std::uint32_t connection) { connections_[connection].is_suspended = true; }
  void resume(std::uint32_t connection, Picoseconds now);
  // Payload bytes per second at most; infinite: no limit.
  void set_rate(std::uint32_t connection, double bytes_per_second, Picoseconds now);
  // Bytes of the message that are not delivered.
  std::uint64_t remaining(std::uint32_t connection, std::uint32_t activity) const;
  const Connection& operator[](std::uint32_t connection) const { return connections_[connection]; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(connections_.size()); }
  // Packets that left senders and receivers, and those that arrived or were dropped.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t arrived() const { return arrived_; }
  std::uint64_t lost() const { return lost_; }
  std::uint64_t handled() const { return handled_; }  // events of timers
  // Since the last call.
  std::vector<Completion>& completions() { return completions_; }
  // Connections whose paths are no longer used; they are free after recycle().
  std::vector<std::uint32_t>& retired() { return retired_; }
  void recycle(std::uint32_t connection);
  // Of all connections, also those that are closed.
  FlowTotals totals() const;
  // The time in which at least one connection waited for a timer that then expired.
  Picoseconds timer_wait() const { return timer_waits_.length(); }

  // ---- packets from outside
  // The connection is a path; it stays open.
  std::uint32_t open_relay(std::span<const std::uint32_t> links);
  void relay(std::uint32_t connection, std::uint64_t number, std::uint32_t bytes, Picoseconds now);
  std::uint64_t relays_inside() const { return relays_inside_; }
  // Since the last call.
  std::vector<Relayed>& relayed() { return relayed_; }

  // ---- for the fabric
  // Makes the next packet of a sender; `last`: it has no other at present and is no longer on offer.
  Offer next_packet(std::uint32_t sender, Packet& packet, Picoseconds now);
  // fifo: so many packets of the sender are no longer on offer.
  void withdraw(std::uint32_t sender, std::uint32_t packets);
  // fifo: one more is.
  void extend(std::uint32_t sender);
  void receive(std::uint32_t end, const Packet& packet, Picoseconds now);
  void lose(std::uint32_t end, const Packet& packet, Picoseconds now);

  // ---- timers
  const EventHeap& timers() const { return timers_; }
  void step();

 private:
  enum class TimerKind : std::uint8_t { retransmission, pace, acknowledgement };
  struct Answer {
    std::uint64_t number;
    std::uint32_t length;
    std::uint32_t stamp;
    std::uint32_t next;
    std::uint16_t flags;
  };
  // The next packet that a sender may send.
  struct Segment {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool is_empty = false;
  };
  using Index = std::uint32_t;

  // endpoints.cpp
  void set_timer(Index index, TimerKind kind, Picoseconds deadline);
  Timer& timer_of(Connection& connection, TimerKind kind);
  void complete(Index index, const Message& message, bool has_failed);
  void retire_if_done(Index index);
  void begin(Index index, Picoseconds now);

  void end_relay(const Packet& packet, Picoseconds now, bool is_lost);

  // sender.cpp
  void wake_sender(Index index, Picoseconds now);
  std::uint32_t sendable(const Connection& connection) const;
  bool can_send(const Connection& connection) const;
  Offer make_data(Index index, Packet& packet, Picoseconds now);
  bool find_segment(const Connection& connection, Segment& segment) const;
  bool find_new(const Connection& connection, Segment& segment) const;
  Segment segment_at(const Connection& connection, std::uint64_t begin) const;
  void start_segment(Index index, const Segment& segment, Packet& packet, Picoseconds now);
  void pace(Connection& connection, std::uint32_t payload, Picoseconds now);
  void receive_answer(Index index, const Packet& packet, Picoseconds now);
  void take_answer(Index index, const Packet& packet, Picoseconds now);
  void measure(Index index, const Packet& packet, Picoseconds now);
  void advance(Index index, const Packet& packet, Picoseconds now);
  void react_to_marks(Connection& connection, const Packet& packet, std::uint64_t acknowledged);
  void forget_messages(Connection& connection);

  // recovery.cpp
  bool uses_sack() const { return parameters_.has_sack && parameters_.transport != Transport::rdma; }
  std::uint64_t in_flight(const Connection& connection) const;
  std::uint64_t handed_over(const Connection& connection) const;
  void limit_recovery(Connection& connection, std::uint64_t delivered, bool is_safe);
  void repeat_again(Connection& connection);
  void count_duplicate(Connection& connection, const Packet& packet);
  void start_recovery(Connection& connection);
  void recover_partly(Connection& connection, std::uint64_t acknowledged);
  void end_recovery(Connection& connection);
  void expire(Index index, Picoseconds now);
  void count_timeout(Index index, Picoseconds waited, Picoseconds now);
  void go_back(Connection& connection, std::uint64_t to) const;
  bool find_repeated(const Connection& connection, Segment& segment) const;

  // receiver.cpp
  void receive_data(Index index, const Packet& packet, Picoseconds now);
  void receive_raw(Index index, const Packet& packet);
  void receive_rdma(Index index, const Packet& packet, Picoseconds now);
  void receive_segment(Index index, const Packet& packet, Picoseconds now);
  void note_mark(Index index, const Packet& packet, Picoseconds now);
  void deliver(Index index);
  void deliver_streams(Index index);
  void acknowledge(Index index, const Range* block, Picoseconds now);
  void answer(Index index, const Answer& made, Picoseconds now);
  Offer make_answer(Index index, Packet& packet);

  const Parameters& parameters_;
  Fabric& fabric_;
  Observer* observer_ = nullptr;
  std::vector<Connection> connections_;
  std::vector<Index> free_;
  std::vector<Answer> answers_;
  std::vector<std::uint32_t> free_answers_;
  EventHeap timers_;
  std::vector<Completion> completions_;
  std::vector<Index> retired_;
  std::vector<std::uint32_t> blocked_;  // streams, in deliver_streams()
  std::vector<Relayed> relayed_;
  std::uint64_t relays_inside_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t arrived_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t handled_ = 0;
  FlowTotals closed_;  // of closed connections
  CoveredTime timer_waits_;
};

}  // namespace rehearse::packet
