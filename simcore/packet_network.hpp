// SPDX-License-Identifier: MIT
//
// The counts of a network of packets (`--network packet`).
//
// Units: bytes on the wire, framing included.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/time.hpp"

namespace rehearse {

struct ActivityId;
class PacketRelay;  // simcore/packet_relay.hpp

struct PacketLink {
  LinkId link;
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint64_t drops = 0;  // that did not fit into the queue
  std::uint64_t losses = 0;
  std::uint64_t marks = 0;                // ECN
  std::uint64_t pauses = 0;               // lossless=pfc
  std::uint64_t longest_queue_bytes = 0;  // without the packet that is being sent
  Duration full = {};                     // time in which its queue had no room for a full packet
};

struct PacketFlow {
  std::uint64_t retransmissions = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t drops = 0;  // of its packets and acknowledgements, losses included
};

struct PacketTotals {
  std::uint64_t packet_hops = 0;  // packets by links that they crossed
  std::uint64_t events = 0;
  std::uint64_t drops = 0;
  std::uint64_t losses = 0;
  std::uint64_t retransmissions = 0;
  std::uint64_t timeouts = 0;
  Duration timer_wait = {};  // time in which at least one connection waited for a timer that then expired
};

// Connections of which a whole window takes less time to send than its acknowledgement to return.
struct SmallWindow {
  std::uint64_t messages = 0;  // longer than the window, and not limited by congestion control at their ends
  std::uint64_t window_bytes = 0;
  // Of the message with the largest need:
  HostId source, destination;
  std::uint64_t needed_bytes = 0;  // bandwidth times round-trip time of an empty network, in whole packets
};

class PacketNetwork {
 public:
  virtual ~PacketNetwork() = default;
  virtual PacketTotals totals() const = 0;
  virtual SmallWindow small_window() const = 0;  // `messages` 0: none
  // Links that carried or dropped packets, in the order of the platform.
  virtual std::vector<PacketLink> links() const = 0;
  // Of the connection of a transfer that has ended; valid until the next start of an activity.
  virtual PacketFlow flow(ActivityId ended) const = 0;
};

}  // namespace rehearse
