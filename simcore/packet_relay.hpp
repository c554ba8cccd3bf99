// SPDX-License-Identifier: MIT
//
// Packets from outside of the simulation: they enter the network of packets at a host, and leave it at another one. The
// network knows their lengths; the caller keeps their contents by number.
//
// Usage:   open() a path, send() packets, advance the cost model, take() the packets that have left.
// Units:   bytes with the headers of the network and above, without the framing of links.
// Errors:  open: no value if there is no route, or if the route crosses no link.
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/time.hpp"

namespace rehearse {

struct RelayedPacket {
  std::uint64_t number = 0;
  TimePoint date;          // of its arrival, or of its loss
  bool is_lost = false;    // no room in a queue, a loss of a link, or a link or host that is off
  bool is_marked = false;  // ECN: a queue on the way was long
};

class PacketRelay {
 public:
  virtual ~PacketRelay() = default;
  // `flow` selects one of several equal routes.
  virtual std::optional<std::uint32_t> open(HostId source, HostId destination, std::uint64_t flow, TimePoint now) = 0;
  // Requires number < 2^48, and now <= next_date() of the cost model.
  virtual void send(std::uint32_t path, std::uint64_t number, std::uint32_t bytes, TimePoint now) = 0;
  // Those since the last call, in the order of their dates.
  virtual std::vector<RelayedPacket> take() = 0;
};

}  // namespace rehearse
