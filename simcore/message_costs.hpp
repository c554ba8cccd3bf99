// SPDX-License-Identifier: MIT
//
// The time that actors spend on messages, in addition to the time of the network.
//
// Units:  bytes, seconds.
// Source: the words os, ois and or, and the form of the tables: Degomme, Legrand, Markomanolis, Quinson, Stillwell,
//         Suter, IEEE TPDS 28(8), 2017. Departure: a piece applies from its bound on, so a piece from 0 also
//         applies to empty messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"
#include "simcore/time.hpp"

namespace rehearse {

// Seconds by size: piecewise linear, 0 below the first piece.
struct SizeCost {
  struct Piece {
    double from_bytes = 0;  // rising
    double seconds = 0;
    double seconds_per_byte = 0;
  };
  std::vector<Piece> pieces;

  Duration of(std::uint64_t bytes) const { return pieces.empty() ? Duration{} : of_piece(bytes); }
  Duration of_piece(std::uint64_t bytes) const;
};

// Pieces `BYTES:SECONDS:SECONDS_PER_BYTE;...` by rising bounds.
Result<SizeCost> parse_size_cost(const std::string& text);

struct MessageCosts {
  SizeCost send;          // os: of a blocking send, before the message leaves
  SizeCost started_send;  // ois: of a nonblocking send, likewise
  SizeCost receive;       // or: of the receive of an eager message

  bool are_none() const { return send.pieces.empty() && started_send.pieces.empty() && receive.pieces.empty(); }
};

// The handshake of a large message and its receive. The announcement takes the latency of the route.
enum class Handshake : std::uint8_t {
  announced,  // the data leave when the receive has taken the announcement
  answered    // ... and its answer has arrived, which takes the latency of the route again
};

}  // namespace rehearse
