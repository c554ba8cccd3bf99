// SPDX-License-Identifier: MIT
//
// The messages between the cost model `ns3` and the program `rehearse-ns3`, which simulates packets with ns-3.
//
// Protocol: the model sends Hello, and the program answers Ready or Problem. The model numbers links, paths and
//           connections from 0 on, and sends each definition before its first use. Until, Ask and GetTotals have an
//           answer: At (after any number of Progress), Left, Totals. A Problem can take the place of any answer and
//           ends the program. Other messages take effect at the present date, in the order in which they come.
// Time:     the present date is 0 at first. Until advances it to its limit, or to the first date at which a message is
//           complete, whichever is earlier, and handles all events up to there, those at that date included.
// Units:    picoseconds, bytes, bytes per second.
// Language: C++17, as frame.hpp.
#pragma once

#include "simcore/ns3/protocol_answers.hpp"
#include "simcore/ns3/wire_frame.hpp"

namespace rehearse::ns3 {

// Options of all connections and links.
struct Hello {
  static constexpr std::uint8_t kind = 1;
  std::uint32_t version = protocol_version;
  std::uint32_t segment_bytes = 0;  // payload of a full packet
  std::uint32_t packet_bytes = 0;   // with the headers of IP and TCP
  std::uint32_t framing_bytes = 0;  // of a packet on a link besides
  std::uint32_t window_bytes = 0;   // buffers of sockets
  std::uint32_t initial_window = 0;
  std::uint32_t delayed_ack = 0;
  std::int64_t delayed_ack_timeout = 0;
  std::int64_t min_rto = 0;
  std::int64_t switch_delay = 0;
  std::uint64_t seed = 0;
  std::string congestion;  // reno, newreno, cubic, dctcp
  bool has_sack = true;
  bool has_timestamps = true;

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(version), visit(segment_bytes), visit(packet_bytes), visit(framing_bytes), visit(window_bytes);
    visit(initial_window), visit(delayed_ack), visit(delayed_ack_timeout), visit(min_rto), visit(switch_delay);
    visit(seed), visit(congestion), visit(has_sack), visit(has_timestamps);
  }
};

// A transmitter with its queue, and the delay behind it. Its number is that of the links before it.
struct NewLink {
  static constexpr std::uint8_t kind = 2;
  double bytes_per_second = 0;  // infinite: transmissions take no time
  std::int64_t latency = 0;
  std::uint64_t queue_bytes = 0;    // room in the queue for packets that come from another link; 0: no limit
  std::uint64_t queue_packets = 0;  // likewise
  std::uint64_t ecn_bytes = 0;      // packets that find more in the queue are marked; 0: none
  double packet_loss = 0;           // probability
  double bit_error = 0;             // likewise

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(bytes_per_second), visit(latency), visit(queue_bytes), visit(queue_packets), visit(ecn_bytes);
    visit(packet_loss), visit(bit_error);
  }
};

// The links from one host to another, and those on the way back.
struct NewPath {
  static constexpr std::uint8_t kind = 3;
  std::uint32_t source = 0;  // any number that stands for the host
  std::uint32_t destination = 0;
  std::vector<std::uint32_t> forward;
  std::vector<std::uint32_t> back;

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(source), visit(destination), visit(forward), visit(back);
  }
};

// A connection for data in one direction. Its first message opens it.
struct NewConnection {
  static constexpr std::uint8_t kind = 4;
  std::uint32_t path = 0;

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(path);
  }
};

// A message behind the earlier ones of its connection. One of 0 bytes takes one byte.
struct Send {
  static constexpr std::uint8_t kind = 5;
  std::uint32_t connection = 0;
  std::uint64_t bytes = 0;
  std::uint64_t message = 0;  // any number that stands for it

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(connection), visit(bytes), visit(message);
  }
};

// The rate at which a connection hands bytes to its socket: infinite at first; 0: it hands over nothing.
struct Pace {
  static constexpr std::uint8_t kind = 6;
  std::uint32_t connection = 0;
  double bytes_per_second = 0;

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(connection), visit(bytes_per_second);
  }
};

// Both ends forget the connection. Its packets and messages are lost.
struct Close {
  static constexpr std::uint8_t kind = 7;
  std::uint32_t connection = 0;

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(connection);
  }
};

// For packets that start afterwards. A link that is off loses all packets.
struct ChangeLink {
  static constexpr std::uint8_t kind = 8;
  std::uint32_t link = 0;
  double bytes_per_second = 0;
  std::int64_t latency = 0;
  bool is_on = true;

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(link), visit(bytes_per_second), visit(latency), visit(is_on);
  }
};

struct Until {
  static constexpr std::uint8_t kind = 9;
  std::int64_t limit = 0;

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(limit);
  }
};

struct Ask {
  static constexpr std::uint8_t kind = 10;
  std::uint64_t message = 0;  // that is not complete

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(message);
  }
};

struct GetTotals {
  static constexpr std::uint8_t kind = 11;

  template <class Visitor>
  void fields(Visitor&&) {}
};

struct Bye {
  static constexpr std::uint8_t kind = 12;

  template <class Visitor>
  void fields(Visitor&&) {}
};

}  // namespace rehearse::ns3
