// SPDX-License-Identifier: MIT
//
// The generalised Pareto law of the largest samples.
#include <algorithm>
#include <cmath>

#include "manynode/distribution.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::manynode {
namespace {

constexpr double greatest_shape = 0.5;
constexpr double shape_of_exponential = 1e-6;  // below it, the limit of the formula

std::size_t tail_samples(std::size_t n) {
  const auto part = static_cast<std::size_t>(BinnedDistribution::tail_part * static_cast<double>(n));
  return std::max(part, BinnedDistribution::least_tail_samples);
}

// `largest`: ascending, all above `from` or equal to it; of n samples.
std::optional<ParetoTail> tail_of(double from, std::span<const double> largest, std::size_t n) {
  const double m = static_cast<double>(largest.size());
  double mean = 0, weighted = 0;  // moments of the excess: plain, and with the probability of a greater one
  for (std::size_t i = 0; i < largest.size(); ++i) {
    const double excess = largest[i] - from;
    mean += excess / m;
    weighted += (m - static_cast<double>(i) - 0.65) / m * excess / m;
  }
  const double difference = mean - 2 * weighted;
  if (!(difference > 0) || !(mean > 0)) return std::nullopt;
  ParetoTail tail{from, std::clamp(2 - mean / difference, -greatest_shape, greatest_shape),
                  2 * mean * weighted / difference, m / static_cast<double>(n)};
  if (!(tail.scale > 0) || !std::isfinite(tail.scale)) return std::nullopt;
  return tail;
}

}  // namespace

double ParetoTail::quantile(double u) const {
  const double left = (1 - u) / share;
  if (std::abs(shape) <= shape_of_exponential) return from - scale * std::log(left);
  return from + scale / shape * (std::pow(left, -shape) - 1);
}

std::optional<ParetoTail> fit_tail(std::span<const double> ascending) {
  const std::size_t n = ascending.size();
  if (n < 2 * BinnedDistribution::least_tail_samples) return std::nullopt;
  const std::size_t m = tail_samples(n);
  return tail_of(ascending[n - m - 1], ascending.last(m), n);
}

std::vector<ParetoTail> resampled_tails(std::span<const double> ascending, std::size_t count, std::uint64_t seed) {
  std::vector<ParetoTail> tails;
  const std::size_t n = ascending.size();
  if (!fit_tail(ascending)) return tails;
  const std::size_t m = tail_samples(n);
  SplitMix random(seed);
  std::vector<std::uint32_t> taken(n);
  std::vector<double> largest;
  for (std::size_t round = 0; round < count; ++round) {
    std::fill(taken.begin(), taken.end(), 0);
    for (std::size_t i = 0; i < n; ++i) ++taken[random.below(n)];
    largest.clear();
    for (std::size_t i = n; i-- > 0 && largest.size() <= m;) {
      for (std::uint32_t k = 0; k < taken[i] && largest.size() <= m; ++k) largest.push_back(ascending[i]);
    }
    std::reverse(largest.begin(), largest.end());
    if (const auto tail = tail_of(largest.front(), std::span<const double>(largest).subspan(1), n)) {
      tails.push_back(*tail);
    }
  }
  return tails;
}

}  // namespace rehearse::manynode
