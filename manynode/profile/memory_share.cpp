// SPDX-License-Identifier: MIT
//
// The memory bandwidth of a node that its ranks share, from times with 1, 2, .. ranks of a node.
#include <algorithm>
#include <cmath>
#include <limits>

#include "manynode/analysis.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::manynode {
namespace {

constexpr int steps = 1000;  // of the search for the number of ranks that use all of the bandwidth

struct ShareFit {
  double part = 0, error = 0;
};

// The least squares part for this bandwidth, within 0..1. `factors`: time by ranks of a node over that of one rank.
ShareFit fit_part(std::span<const SizedValue> factors, double ranks_at_bandwidth) {
  double product = 0, square = 0;
  for (const SizedValue& each : factors) {
    const double stretch = std::max(1.0, each.ranks / ranks_at_bandwidth) - 1;
    product += stretch * (each.value - 1);
    square += stretch * stretch;
  }
  ShareFit fit{square > 0 ? std::clamp(product / square, 0.0, 1.0) : 0, 0};
  for (const SizedValue& each : factors) {
    const double stretch = std::max(1.0, each.ranks / ranks_at_bandwidth) - 1;
    const double rest = each.value - 1 - fit.part * stretch;
    fit.error += rest * rest;
  }
  return fit;
}

}  // namespace

double MemoryShare::factor(double ranks_of_node) const {
  return 1 + part * (std::max(1.0, ranks_of_node / ranks_at_bandwidth) - 1);
}

MemoryShare fit_memory_share(std::span<const SizedValue> times) {
  const auto alone = std::ranges::find(times, 1u, &SizedValue::ranks);
  REHEARSE_ASSERT(alone != times.end() && alone->value > 0, "a share of memory bandwidth without the time of one rank");
  std::vector<SizedValue> factors;
  std::uint32_t most = 1;
  for (const SizedValue& each : times) {
    factors.push_back({each.ranks, each.value / alone->value});
    most = std::max(most, each.ranks);
  }
  MemoryShare best{0, static_cast<double>(most)};
  double least = fit_part(factors, most).error;
  for (int i = 0; i < steps; ++i) {
    const double bandwidth = 1 + (most - 1.0) * i / steps;
    const ShareFit fit = fit_part(factors, bandwidth);
    if (fit.error < least * (1 - 1e-9)) {
      least = fit.error;
      best = {fit.part, bandwidth};
    }
  }
  if (best.part == 0) best.ranks_at_bandwidth = most;
  return best;
}

}  // namespace rehearse::manynode
