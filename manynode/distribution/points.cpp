// SPDX-License-Identifier: MIT
//
// Points of quantile functions, and values between them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "manynode/distribution.hpp"
#include "manynode/distribution/greatest.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode {
namespace {

// The value at part p of ascending samples, linear between them.
double sample_quantile(std::span<const double> ascending, double p) {
  const double position = p * static_cast<double>(ascending.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), ascending.size() - 1);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (position - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

}  // namespace

std::vector<QuantilePoint> points_of(std::span<const double> ascending) {
  const double n = static_cast<double>(ascending.size());
  std::vector<QuantilePoint> points;
  if (ascending.size() <= BinnedDistribution::most_bins) {
    for (std::size_t i = 0; i < ascending.size(); ++i) {
      points.push_back({(static_cast<double>(i) + 0.5) / n, ascending[i]});
    }
    return points;
  }
  constexpr std::size_t lower = BinnedDistribution::lower_bins, upper = BinnedDistribution::most_bins - lower;
  for (std::size_t i = 0; i <= lower; ++i) points.push_back({0.8 * static_cast<double>(i) / lower, 0});
  for (std::size_t k = 1; k < upper; ++k) {
    points.push_back({1 - 0.2 * std::pow(1 / (0.2 * n), static_cast<double>(k) / (upper - 1)), 0});
  }
  points.push_back({1, 0});
  for (QuantilePoint& each : points) each.value = sample_quantile(ascending, each.probability);
  return points;
}

BinnedDistribution::BinnedDistribution(std::vector<double> samples) : samples_(samples.size()) {
  REHEARSE_ASSERT(!samples.empty(), "a distribution of no samples");
  std::sort(samples.begin(), samples.end());
  const double n = static_cast<double>(samples.size());
  // Relative to the least sample: so the mean of equal samples is exactly each of them.
  double above = 0, squares = 0;
  for (const double each : samples) above += each - samples.front();
  mean_ = samples.front() + above / n;
  for (const double each : samples) squares += (each - mean_) * (each - mean_);
  deviation_ = std::sqrt(squares / n);
  points_ = points_of(samples);
  tail_ = fit_tail(samples);
}

Result<BinnedDistribution> BinnedDistribution::from_points(std::vector<QuantilePoint> points,
                                                           std::optional<ParetoTail> tail, std::uint64_t samples,
                                                           double mean, double deviation) {
  if (points.empty()) return Error{"quantiles: expected at least one pair of probability and value"};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [p, value] = points[i];
    if (!(p >= 0 && p <= 1)) return Error{fmt::format("quantile {}: probability {}, expected 0 to 1", i, p)};
    if (!std::isfinite(value)) return Error{fmt::format("quantile {}: value {}, expected a number", i, value)};
    if (i > 0 && !(p > points[i - 1].probability && value >= points[i - 1].value)) {
      return Error{
          fmt::format("quantile {}: ({}, {}) behind ({}, {}), expected rising probabilities and values that do "
                      "not fall",
                      i, p, value, points[i - 1].probability, points[i - 1].value)};
    }
  }
  if (tail && !(tail->scale > 0 && std::abs(tail->shape) < 1 && tail->share > 0 && tail->share <= 1 &&
                std::isfinite(tail->from) && std::isfinite(tail->scale))) {
    return Error{
        fmt::format("tail: from {}, shape {}, scale {}, share {}: expected a positive scale, a shape between -1 "
                    "and 1, and a share above 0 and at most 1",
                    tail->from, tail->shape, tail->scale, tail->share)};
  }
  BinnedDistribution made;
  made.points_ = std::move(points);
  made.tail_ = tail;
  made.samples_ = samples;
  made.mean_ = mean;
  made.deviation_ = deviation;
  return made;
}

double BinnedDistribution::quantile(double u, TailUse use) const {
  if (tail_ && use != TailUse::measured) {
    const double n = static_cast<double>(std::max<std::uint64_t>(samples_, 1));
    const double share = use == TailUse::fitted ? tail_->share : std::min(tail_->share, 1 / n);
    if (u > 1 - share) return tail_->quantile(u);
  }
  const auto above = std::upper_bound(points_.begin(), points_.end(), u,
                                      [](double p, const QuantilePoint& point) { return p < point.probability; });
  if (above == points_.begin()) return points_.front().value;
  if (above == points_.end()) return points_.back().value;
  const QuantilePoint& low = *(above - 1);
  return low.value + (u - low.probability) / (above->probability - low.probability) * (above->value - low.value);
}

double BinnedDistribution::mean_of_greatest(double count, TailUse use) const {
  return integrate_greatest(count, [&](double u) { return quantile(u, use); }).mean;
}

double distance_of(std::span<const double> ascending, const BinnedDistribution& distribution) {
  const auto points = distribution.points();
  const double n = static_cast<double>(ascending.size());
  // The distribution function below a value, and up to it: between these lies what has just this value.
  const auto below = [&](double value) {
    const auto at = std::lower_bound(points.begin(), points.end(), value,
                                     [](const QuantilePoint& point, double v) { return point.value < v; });
    if (at == points.begin()) return 0.0;
    if (at == points.end()) return 1.0;
    const QuantilePoint& low = *(at - 1);
    return low.probability + (value - low.value) / (at->value - low.value) * (at->probability - low.probability);
  };
  const auto up_to = [&](double value) {
    const auto at = std::upper_bound(points.begin(), points.end(), value,
                                     [](double v, const QuantilePoint& point) { return v < point.value; });
    if (at == points.end()) return 1.0;
    if (at == points.begin()) return 0.0;
    const QuantilePoint& low = *(at - 1);
    return low.probability + (value - low.value) / (at->value - low.value) * (at->probability - low.probability);
  };
  double worst = 0;
  for (std::size_t i = 0; i < ascending.size();) {
    std::size_t end = i;
    while (end < ascending.size() && ascending[end] == ascending[i]) ++end;
    worst = std::max({worst, std::abs(below(ascending[i]) - static_cast<double>(i) / n),
                      std::abs(up_to(ascending[i]) - static_cast<double>(end) / n)});
    i = end;
  }
  return worst;
}

double probability_of_same(std::vector<double> first, std::vector<double> second, double independent) {
  REHEARSE_ASSERT(!first.empty() && !second.empty(), "a comparison of samples with none");
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  const double n = static_cast<double>(first.size()), m = static_cast<double>(second.size());
  double distance = 0;
  for (std::size_t i = 0, j = 0; i < first.size() && j < second.size();) {
    const double value = std::min(first[i], second[j]);
    while (i < first.size() && first[i] == value) ++i;
    while (j < second.size() && second[j] == value) ++j;
    distance = std::max(distance, std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  const double root = std::sqrt(independent * n * m / (n + m));
  // M. Stephens, Use of the Kolmogorov-Smirnov, Cramer-von Mises and related statistics without extensive tables, 1970.
  const double lambda = (root + 0.12 + 0.11 / root) * distance;
  if (lambda < 0.2) return 1;  // the series below does not converge there
  double sum = 0;
  for (int k = 1; k <= 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2 * lambda * lambda * k * k);
  return std::clamp(sum, 0.0, 1.0);
}

}  // namespace rehearse::manynode
