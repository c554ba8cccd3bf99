// SPDX-License-Identifier: MIT
//
// The time that actors themselves spend on messages, in addition to the time of the network.
//
// Units:  bytes, seconds.
// Source: the words os, ois and or, and the form of the tables: Degomme, Legrand, Markomanolis, Quinson, Stillwell,
//         Suter, IEEE TPDS 28(8), 2017. Departure: a piece holds from its bound on, so that one from 0 holds for
//         empty messages too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"
#include "simcore/time.hpp"

namespace rehearse {

// Seconds by size: piecewise linear, nothing below the first piece.
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
  SizeCost send;          // os: of a send that the actor waits for, before the message leaves
  SizeCost started_send;  // ois: of one that it only starts, likewise
  SizeCost receive;       // or: of taking a message that was sent without waiting for its receive

  bool are_none() const { return send.pieces.empty() && started_send.pieces.empty() && receive.pieces.empty(); }
};

// How a large message and its receive find each other. The announcement takes the latency of the route.
enum class Handshake : std::uint8_t {
  announced,  // the data leave when the receive has taken the announcement
  answered    // ... and its answer has come back, which takes the latency of the route once more
};

}  // namespace rehearse
