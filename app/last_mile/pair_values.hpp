// SPDX-License-Identifier: MIT
//
// One robust value for each measured pair of hosts, and the division of pairs for a cross-validation.
//
// Statistic: a quantile of the repetitions. `minimum` and `p10` are those of a quiet network: the least latency and the
//            greatest bandwidth, or a tenth of the repetitions away from them.
// Parts:     both directions of a pair are in the same part, because they often have the same value.
#pragma once

#include <cstdint>
#include <vector>

#include "app/calibration/size_points.hpp"
#include "app/last_mile/pair_measurements.hpp"

namespace rehearse::app {

struct PairValue {
  std::uint32_t from = 0, to = 0;
  double value = 0;
  std::uint32_t repetitions = 0;
};

enum class PairQuantity : std::uint8_t { latency, bandwidth };

// By rising numbers of hosts.
std::vector<PairValue> pair_values(const PairSamples& samples, PairQuantity quantity, Statistic statistic);

// The part of each pair, below `parts`; the same for the same pairs.
std::vector<std::uint32_t> parts_of_pairs(const std::vector<PairValue>& pairs, std::uint32_t parts);

}  // namespace rehearse::app
