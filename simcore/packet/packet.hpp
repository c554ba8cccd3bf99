// SPDX-License-Identifier: MIT
//
// A packet on the way: numbers, no contents. 32 bytes, because a run moves hundreds of millions of them.
//
// Units: dates in picoseconds; lengths and numbers in bytes of the connection's stream.
#pragma once

#include <cstdint>
#include <type_traits>

namespace rehearse::packet {

using Picoseconds = std::int64_t;
inline constexpr Picoseconds no_date = INT64_MAX;
inline constexpr std::uint32_t nothing = ~0u;

enum PacketFlag : std::uint16_t {
  control = 1,          // without payload
  synchronise = 2,      // opens a connection; the answer to it has the same flag
  answer_flag = 4,      // travels from the receiver of the stream to its sender
  establish = 8,        // the last packet of the handshake
  repeated = 16,        // sent again, or acknowledges such a packet: its round trip is not measured (Karn)
  congested = 32,       // ECN: a queue on the way was long (CE)
  echo = 64,            // ECN: the receiver saw `congested` (ECE)
  reduced = 128,        // ECN: the sender has reacted (CWR)
  selective = 256,      // an acknowledgement with a block of a SACK option
  refused = 512,        // rdma: out of order, go back (NAK)
  notification = 1024,  // rdma: a congestion notification (CNP)
  discarded = 2048,     // is lost on the present link
  empty = 4096,         // of a message of 0 bytes
};

struct Packet {
  Picoseconds date = 0;           // of its arrival at the end of the link
  std::uint64_t number : 48 = 0;  // first byte of the payload; of an acknowledgement: next byte that is expected
  std::uint64_t flags : 16 = 0;
  std::uint32_t hop = 0;     // place of the link in Paths
  std::uint32_t order = 0;   // of events at the same date
  std::uint32_t length = 0;  // of the payload; of a selective acknowledgement: of the block
  std::uint32_t stamp = 0;   // of its start, or echoed; of a selective acknowledgement: from `number` to the block
};
static_assert(sizeof(Packet) == 32 && std::is_trivially_copyable_v<Packet>);

inline constexpr std::uint64_t stream_limit = (std::uint64_t{1} << 48) - 1;

// Stamps count 65,536 ps; they repeat after 281 s.
inline constexpr int stamp_shift = 16;
inline std::uint32_t stamp_of(Picoseconds date) { return static_cast<std::uint32_t>(date >> stamp_shift); }
inline Picoseconds time_since(std::uint32_t stamp, Picoseconds now) {
  return static_cast<Picoseconds>(stamp_of(now) - stamp) << stamp_shift;
}

}  // namespace rehearse::packet
