// SPDX-License-Identifier: MIT
//
// The numbers that make a fluid network model; their sources are in the header.
#include "simcore/network/network_constants.hpp"

#include <algorithm>
#include <array>

namespace rehearse::network {

namespace {

constexpr double window_bytes = 4'194'304;
constexpr double acknowledgements = 0.05;

constexpr std::array<Piece, 9> smpi_latency{{{0, 2.01467},
                                             {257, 1.95341},
                                             {732, 1.9503},
                                             {1426, 1.61075},
                                             {3484, 1.88101},
                                             {5776, 2.18796},
                                             {9376, 2.59299},
                                             {15424, 3.48845},
                                             {65472, 11.6436}}};
constexpr std::array<Piece, 9> smpi_bandwidth{{{0, 0.812084},
                                               {257, 0.338112},
                                               {732, 0.341987},
                                               {1426, 0.608902},
                                               {3484, 0.77493},
                                               {5776, 1.08739},
                                               {9376, 0.58729},
                                               {15424, 0.697866},
                                               {65472, 0.940694}}};

}  // namespace

double factor_for(std::span<const Piece> pieces, std::uint64_t bytes) {
  const auto next = std::lower_bound(
      pieces.begin(), pieces.end(), bytes,
      [](const Piece& piece, std::uint64_t size) { return piece.above_bytes < size; });
  return next == pieces.begin() ? 1.0 : std::prev(next)->factor;
}

std::optional<NetworkConstants> find_network(std::string_view name) {
  NetworkConstants constants;
  constants.name = name;
  if (name == "raw") return constants;
  constants.window_bytes = window_bytes;
  constants.cross_traffic = acknowledgements;
  if (name == "cm02") return constants;
  if (name == "lv08") {
    constants.weight_bytes = 20537;
    constants.latency_factor = 13.01;
    constants.bandwidth_factor = 0.97;
    return constants;
  }
  if (name == "smpi") {
    constants.weight_bytes = 8775;
    constants.latency_pieces = smpi_latency;
    constants.bandwidth_pieces = smpi_bandwidth;
    return constants;
  }
  return std::nullopt;
}

std::string_view network_names() { return "lv08, smpi, cm02, raw"; }

}  // namespace rehearse::network
