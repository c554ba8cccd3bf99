// SPDX-License-Identifier: MIT
//
// The answers of `rehearse-ns3`; protocol.hpp has the messages to it, and their order.
//
// Units: picoseconds, bytes.
#pragma once

#include "simcore/ns3/wire_frame.hpp"

namespace rehearse::ns3 {

inline constexpr std::uint32_t protocol_version = 1;
inline constexpr std::int64_t no_date = INT64_MAX;

struct Ready {
  static constexpr std::uint8_t kind = 101;
  std::uint32_t version = protocol_version;

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(version);
  }
};

// A complete message, with the counts of its connection.
struct Done {
  std::uint64_t message = 0;
  std::uint64_t retransmissions = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t drops = 0;  // of packets and acknowledgements, losses included

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(message), visit(retransmissions), visit(timeouts), visit(drops);
  }
};

struct At {
  static constexpr std::uint8_t kind = 102;
  std::int64_t date = 0;
  std::int64_t next = no_date;  // the date of the next event of the simulation
  std::vector<Done> done;       // that were complete at `date`

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(date), visit(next), visit(done);
  }
};

struct Left {
  static constexpr std::uint8_t kind = 103;
  std::uint64_t bytes = 0;  // of the message that have not arrived in order

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(bytes);
  }
};

struct LinkTotals {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;  // with framing
  std::uint64_t drops = 0;  // that did not fit into the queue
  std::uint64_t losses = 0;
  std::uint64_t marks = 0;
  std::uint64_t longest_queue_bytes = 0;

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(packets), visit(bytes), visit(drops), visit(losses), visit(marks), visit(longest_queue_bytes);
  }
};

struct Totals {
  static constexpr std::uint8_t kind = 104;
  std::uint64_t events = 0;
  std::vector<LinkTotals> links;  // by number

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(events), visit(links);
  }
};

// The date that the simulation has reached, about twice a second.
struct Progress {
  static constexpr std::uint8_t kind = 105;
  std::int64_t date = 0;

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(date);
  }
};

struct Problem {
  static constexpr std::uint8_t kind = 106;
  std::string text;

  template <class Visitor>
  void fields(Visitor&& visit) {
    visit(text);
  }
};

}  // namespace rehearse::ns3
