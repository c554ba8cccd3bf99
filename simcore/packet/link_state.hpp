// SPDX-License-Identifier: MIT
//
// One direction of a link: a transmitter with its output queue, then a delay.
//
// Shape: the ring has all packets from their arrival at the queue until their arrival at the end of the link. The first
//        `started` of them have left the queue. Only a link that is some host's first one has turns, and only a link
//        of a lossless network has a buffer.
// Units: bytes, picoseconds.
#pragma once

#include <cstdint>

#include "simcore/packet/packet.hpp"
#include "simcore/packet/ring.hpp"

namespace rehearse::packet {

struct LinkTotals {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint64_t longest_queue = 0;  // without the packet that is being sent
  std::uint64_t drops = 0;          // did not fit into the queue, or were on a link that failed
  std::uint64_t lost = 0;
  std::uint64_t marks = 0;
  std::uint64_t pauses = 0;
  Picoseconds full = 0;  // time in which the queue had no room for a full packet
};

// In the order of use: each packet reads the first 128 bytes, and networks are larger than caches.
struct alignas(64) LinkState {
  Picoseconds free_at = 0;  // of the transmitter
  double picoseconds_per_byte = 0;
  Picoseconds delay = 0;
  Ring<Packet> ring;
  std::uint64_t waiting = 0;  // bytes in the queue
  std::uint32_t started = 0;
  std::uint32_t queue_packets = nothing;  // room of the queue
  std::uint64_t queue_bytes = ~std::uint64_t{0};
  std::uint64_t ecn = ~std::uint64_t{0};
  std::uint64_t alarm_bytes = ~std::uint64_t{0};  // a shorter queue has room for a full packet, and marks nothing
  std::uint32_t alarm_packets = nothing;
  std::uint32_t turns = nothing;
  std::uint32_t buffer = nothing;
  bool is_on = true;
  bool has_losses = false;
  bool is_copy = false;
  std::uint32_t origin = 0;  // the link of the platform; of a copy: the link that it is a copy of
  LinkTotals totals;
  Picoseconds full_until = 0;
  double loss = 0;                // probability that a packet is lost
  double error = 0;               // likewise, a bit
  std::uint32_t rules = nothing;  // of losses, besides
  std::uint64_t held = 0;         // packets that jitter has held back
  Picoseconds jitter = 0;
  std::uint64_t draw = 0;  // start of its random numbers

  Picoseconds duration(std::uint32_t bytes) const {
    return static_cast<Picoseconds>(static_cast<double>(bytes) * picoseconds_per_byte + 0.5);
  }
};

// What a link needs besides in a lossless network.
struct Buffer {
  struct Credit {
    Picoseconds date;
    std::uint64_t bytes;
  };
  Ring<Packet> waiting;    // their dates: arrival of their tails
  Ring<Credit> returning;  // credit: room at the end of the link that its transmitter learns of at this date
  std::uint64_t credits = 0;
  std::uint64_t ingress = 0;             // pfc: bytes that came over this link and wait in the switch behind it
  std::uint32_t sending_bytes = 0;       // of the packet that is being sent
  std::uint32_t sending_came = nothing;  // the link over which it came
  Picoseconds busy_until = 0;            // the end of the last transmission
  Picoseconds credit_event = no_date;    // the earliest event for a credit
  bool is_awaited = false;               // there is an event at busy_until
  bool is_stopped = false;               // pfc: by the switch behind it
  bool has_asked_to_stop = false;        // pfc: the switch behind it has asked
};

}  // namespace rehearse::packet
