// SPDX-License-Identifier: MIT
//
// The numbers that make a fluid network model.
//
// Source: CM02: Casanova, Marchal, A network model for simulation of grid applications, 2002. LV08:
//         Velho, Legrand, Accuracy study and improvement of network simulation in the SimGrid
//         framework, SIMUTools 2009 (13.01, 0.97, 20537; window 4 MiB); cross-traffic 5 %: Velho,
//         Schnorr, Casanova, Legrand, TOMACS 2013. smpi: piecewise factors fitted to ping-pongs on
//         gigabit Ethernet with TCP: Clauss et al., IPDPS 2011, in the values that SimGrid ships.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rehearse::network {

// For sizes strictly above the bound, up to the next piece's bound.
struct Piece {
  std::uint64_t above_bytes = 0;
  double factor = 1;
};

struct NetworkConstants {
  std::string_view name;
  // Sharing weight of a flow = latency + sum over its links of this/bandwidth, in seconds: flows with
  // long round trips get less. 0: all flows weigh the same.
  double weight_bytes = 0;
  // A flow is not faster than this / (2 latency); 0: no such bound.
  double window_bytes = 0;
  // How much of each byte comes back on the reverse route (acknowledgements).
  double cross_traffic = 0;
  // The delay before the first byte is the latency times this and times the piece's factor.
  double latency_factor = 1;
  std::span<const Piece> latency_pieces;
  // The payload's part of the rate.
  double bandwidth_factor = 1;
  std::span<const Piece> bandwidth_pieces;
};

// 1 below and at the first bound.
double factor_for(std::span<const Piece> pieces, std::uint64_t bytes);

std::optional<NetworkConstants> find_network(std::string_view name);
std::string_view network_names();

}  // namespace rehearse::network
