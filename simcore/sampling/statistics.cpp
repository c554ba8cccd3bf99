// SPDX-License-Identifier: MIT
//
// Precision of means and distributions, and values that stand for many samples.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "simcore/sample_statistics.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {
namespace {

constexpr double error_probability = 0.05;
constexpr double normal_quantile = 1.959963984540054;  // 0.975
constexpr double correlation_tolerated = 0.2;
constexpr std::size_t batches_least = 5;

double mean_of(std::span<const double> samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

std::vector<double> batch_means(std::span<const double> samples, std::size_t size) {
  std::vector<double> means;
  for (std::size_t at = 0; at + size <= samples.size(); at += size) means.push_back(mean_of(samples.subspan(at, size)));
  return means;
}

}  // namespace

double student_factor(std::uint64_t freedom) {
  REHEARSE_ASSERT(freedom > 0, "a mean of one sample has no confidence interval");
  constexpr std::array<double, 3> exact = {12.706204736432095, 4.302652729911275, 3.182446305284263};
  if (freedom <= exact.size()) return exact[freedom - 1];
  const double n = static_cast<double>(freedom), z = normal_quantile, q = z * z;
  const double g1 = z * (q + 1) / 4;
  const double g2 = z * ((5 * q + 16) * q + 3) / 96;
  const double g3 = z * (((3 * q + 19) * q + 17) * q - 15) / 384;
  const double g4 = z * ((((79 * q + 776) * q + 1482) * q - 1920) * q - 945) / 92160;
  return z + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n;
}

double correlation_of_neighbours(std::span<const double> samples) {
  if (samples.size() < 3) return 0;
  const double mean = mean_of(samples);
  double square = 0, product = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    square += (samples[i] - mean) * (samples[i] - mean);
    if (i > 0) product += (samples[i] - mean) * (samples[i - 1] - mean);
  }
  return square > 0 ? product / square : 0;
}

MeanPrecision precision_of_mean(std::span<const double> samples) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (samples.empty()) return {0, unknown, unknown, 1};
  MeanPrecision result{mean_of(samples), unknown, unknown, 1};
  for (std::uint64_t size = 1;; size *= 2) {
    const std::vector<double> batches = batch_means(samples, size);
    if (batches.size() < (size == 1 ? 2 : batches_least)) return result;
    const double correlation = correlation_of_neighbours(batches);
    if (correlation > correlation_tolerated) continue;
    const double centre = mean_of(batches);
    double square = 0;
    for (const double each : batches) square += (each - centre) * (each - centre);
    const double count = static_cast<double>(batches.size());
    // What remains of the correlation, as in an autoregressive process of order 1.
    const double remains = std::max(correlation, 0.0), inflation = (1 + remains) / (1 - remains);
    result.standard_error = std::sqrt(square / (count - 1) / count * inflation);
    result.half_width = student_factor(batches.size() - 1) * result.standard_error;
    result.batch = size;
    return result;
  }
}

double distribution_error(std::uint64_t count) {
  if (count == 0) return 1;
  return std::min(1.0, std::sqrt(std::log(2 / error_probability) / (2 * static_cast<double>(count))));
}

std::uint64_t samples_for_distribution(double error) {
  REHEARSE_ASSERT(error > 0, "no number of samples has no error");
  return static_cast<std::uint64_t>(std::ceil(std::log(2 / error_probability) / (2 * error * error)));
}

double distribution_distance(std::vector<double> samples) {
  if (samples.size() < 2) return std::numeric_limits<double>::infinity();
  std::ranges::sort(samples);
  const auto count = static_cast<double>(samples.size());
  double sum = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const double below = static_cast<double>(i) / count;
    sum += std::sqrt(below * (1 - below)) * (samples[i] - samples[i - 1]);
  }
  return sum / std::sqrt(count);
}

// Each value is the mean of an equal part of the samples; a sample at the border of two parts counts for both, in
// proportion.
EmpiricalDistribution::EmpiricalDistribution(std::vector<double> samples) {
  std::ranges::sort(samples);
  if (samples.size() <= most_values) {
    values_ = std::move(samples);
    return;
  }
  const double part = static_cast<double>(samples.size()) / static_cast<double>(most_values);
  for (std::size_t i = 0; i < most_values; ++i) {
    const double begin = part * static_cast<double>(i), end = part * static_cast<double>(i + 1);
    double sum = 0;
    for (auto at = static_cast<std::size_t>(begin); at < samples.size(); ++at) {
      const double from = std::max(begin, static_cast<double>(at)), to = std::min(end, static_cast<double>(at + 1));
      if (to <= from) break;
      sum += (to - from) * samples[at];
    }
    // Rounding must not make a mean of equal samples smaller than the value before.
    values_.push_back(std::clamp(sum / part, values_.empty() ? samples.front() : values_.back(), samples.back()));
  }
}

EmpiricalDistribution EmpiricalDistribution::from_values(std::vector<double> values) {
  REHEARSE_ASSERT(std::ranges::is_sorted(values) && values.size() <= most_values, "values of a distribution");
  EmpiricalDistribution result;
  result.values_ = std::move(values);
  return result;
}

double EmpiricalDistribution::mean() const { return values_.empty() ? 0 : mean_of(values_); }

double EmpiricalDistribution::draw(SplitMix& random) const {
  REHEARSE_ASSERT(!values_.empty(), "a draw from nothing");
  return values_[random.below(values_.size())];
}

}  // namespace rehearse
