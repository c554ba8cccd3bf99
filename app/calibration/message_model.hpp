// SPDX-License-Identifier: MIT
//
// The time of one message between two nodes that do nothing else, as the network model computes it.
//
// Formula: os(s) + [two empty messages, above the eager threshold] + L LF(s) + min(f, (s + e) / BF(s)) h / B +
//          (s + e) / (BF(s) B) + [or(s), up to the threshold]. L and B: latency and least bandwidth of the route. f:
//          frame that each link but the narrowest stores before it sends it on; h: B by the bandwidth of each of these
//          links, summed. An empty message has the factors 1.
// Units:   bytes, seconds.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "app/calibration/segmented_fit.hpp"
#include "app/calibration/size_points.hpp"
#include "simcore/message_costs.hpp"

namespace rehearse::app {

struct WirePiece {
  double above_bytes = 0;
  double latency_factor = 1, bandwidth_factor = 1;
  double latency_error = 0, bandwidth_error = 0;  // relative standard errors
  std::size_t points = 0;
};

struct MessageModel {
  double latency = 0, bandwidth = 0;  // of the route
  double envelope_bytes = 0;
  double frame_bytes = 0, further_links = 0;  // f and h
  double greatest_bandwidth_factor = 1e3;     // that a fit may find
  double eager_bytes = std::numeric_limits<double>::infinity();
  Handshake handshake = Handshake::answered;
  std::vector<SizeCost::Piece> send, started_send, receive;
  std::vector<WirePiece> pieces;

  bool is_eager(double bytes) const { return bytes <= eager_bytes; }
  const WirePiece* piece(double bytes) const;                  // null: an empty message
  double stored(double bytes, double bandwidth_factor) const;  // seconds of its first frame on the further links
  double wire(double bytes) const;                             // from the departure of the data to their arrival
  double envelopes() const;                                    // of a handshake
  double half_round_trip(double bytes) const;
};

double cost_at(const std::vector<SizeCost::Piece>& pieces, double bytes);

// `BYTES:SECONDS:SECONDS_PER_BYTE;...`; `bound:factor;...`
std::string text_of(const std::vector<SizeCost::Piece>& pieces);
std::string latency_factors_of(const MessageModel& model);
std::string bandwidth_factors_of(const MessageModel& model);

// Fits the pieces of `model` to half round trips; its other members are given. A route without latency or bandwidth
// (0) gets those of an empty message, and of the largest messages. The result is the fit of what overheads leave to the
// wire; its criterion compares models of the same half round trips.
SegmentedFit fit_pieces(MessageModel& model, const std::vector<SizePoint>& half_round_trips);

// An empty message has no factors. If the smallest messages take longer than it, the difference becomes an overhead of
// empty sends.
void adjust_empty_messages(MessageModel& model, const std::vector<SizePoint>& half_round_trips);

}  // namespace rehearse::app
