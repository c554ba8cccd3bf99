// SPDX-License-Identifier: MIT
//
// Transfers on connections: those of one connection flow one after the other, in the order of their starts.
//
// Model:   the latencies of transfers overlap; only their data wait. So a transfer that has a predecessor on its
//          connection has a date at which it could flow, and flows at that date or at the end of its predecessor,
//          whichever is later.
// Source:  the order of bytes in a TCP connection (RFC 9293, section 3.4), which messaging libraries use for all
// messages
//          of two ranks.
// Units:   dates in picoseconds.
// Threads: none.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simcore/cost/slot_table.hpp"
#include "simcore/time.hpp"

namespace rehearse::cost {

class Connections {
 public:
  // The transfer joins the connection of this number. False: it is the only one there, and may flow.
  bool join(std::uint64_t number, std::uint32_t slot, TimePoint ready);
  // The transfer ends, or does not take place. Returns its successor, which may flow now, or none. Without a connection
  // it has no effect.
  std::uint32_t leave(std::uint32_t slot);
  // The date at which the latency of the transfer is over.
  TimePoint ready(std::uint32_t slot) const { return places_[slot].ready; }

 private:
  struct Place {
    std::uint32_t connection = none;
    std::uint32_t previous = none;
    std::uint32_t next = none;
    TimePoint ready;
  };
  struct Recent {
    std::uint64_t number = 0;
    std::uint32_t connection = none;
  };

  static constexpr int recent_bits = 10;

  std::uint32_t find(std::uint64_t number);

  std::vector<Place> places_;             // by slot
  std::vector<std::uint32_t> last_slot_;  // by connection; none: it is idle
  std::unordered_map<std::uint64_t, std::uint32_t> connection_of_;
  std::array<Recent, 1 << recent_bits> recent_{};  // cache of find()
};

}  // namespace rehearse::cost
