// SPDX-License-Identifier: MIT
//
// The bandwidths of the up link and the down link of each host, from bandwidths of pairs: bandwidth(i, j) =
// min(up i, down j), with the least sum of absolute logarithmic errors.
//
// Bounds: a link that limits no measured pair clearly has only a lower bound: the largest bandwidth that its pairs got
//         past it. `Clearly`: without the link, the errors would be larger by more than three times the typical one.
// A limit of the core on each transfer changes nothing: up and down contain it.
// Units:  bytes per second.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/last_mile/pair_values.hpp"

namespace rehearse::app {

enum class Knowledge : std::uint8_t { not_measured, lower_bound, value };

const char* name_of(Knowledge knowledge);

struct LinkBandwidth {
  double bytes_per_second = 0;
  Knowledge knowledge = Knowledge::not_measured;
  std::uint32_t pairs = 0;     // that cross it
  std::uint32_t limiting = 0;  // those that it limits
  double spread = 0;           // median absolute logarithmic error of these
};

struct BandwidthFit {
  std::vector<LinkBandwidth> up, down;  // by host; if symmetric, up and down are equal
  bool is_symmetric = false;
  double least_greatest_error = 0;  // logarithmic: no bandwidths of links have a smaller greatest error

  bool can_predict(std::uint32_t from, std::uint32_t to) const;
  double predict(std::uint32_t from, std::uint32_t to) const;
};

BandwidthFit fit_bandwidths(std::span<const PairValue> pairs, std::size_t hosts, bool is_symmetric);

}  // namespace rehearse::app
