// SPDX-License-Identifier: MIT
//
// Moments, quantiles and intervals.
#include "app/repeated_times.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "simcore/sample_statistics.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::app {
namespace {

constexpr double skewness_factor = 25;  // Cochran's rule: more runs than this times the squared skewness

double skewness_of(std::span<const double> values, double mean) {
  double square = 0, cube = 0;
  for (const double value : values) {
    const double difference = value - mean;
    square += difference * difference;
    cube += difference * difference * difference;
  }
  const double count = static_cast<double>(values.size());
  return square > 0 ? cube / count / std::pow(square / count, 1.5) : 0;
}

// The largest rank r for which the median lies outside the r-th times from both ends with at most the permitted
// probability; 0: there is none. The number of times below the median is binomial, with probability 1/2.
std::size_t rank_for_median(std::size_t count) {
  long double term = std::pow(0.5L, static_cast<long double>(count)), below = 0;
  for (std::size_t rank = 0;; ++rank) {
    below += term;
    if (below > (1 - interval_confidence) / 2) return rank;
    term *= static_cast<long double>(count - rank) / static_cast<long double>(rank + 1);
  }
}

}  // namespace

double mean_of(std::span<const double> values) {
  REHEARSE_ASSERT(!values.empty(), "the mean of nothing");
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
  REHEARSE_ASSERT(values.size() > 1, "one value has no variance");
  const double mean = mean_of(values);
  double square = 0;
  for (const double value : values) square += (value - mean) * (value - mean);
  return square / static_cast<double>(values.size() - 1);
}

double quantile_of(std::span<const double> ascending, double part) {
  REHEARSE_ASSERT(!ascending.empty() && part >= 0 && part <= 1, "a quantile that does not exist");
  const double place = part * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 == ascending.size()) return ascending[below];
  return std::lerp(ascending[below], ascending[below + 1], place - static_cast<double>(below));
}

std::uint64_t TimeStatistics::skewed_runs() const {
  const double needed = std::floor(skewness_factor * skewness * skewness) + 1;
  return runs >= 2 && static_cast<double>(runs) < needed ? static_cast<std::uint64_t>(needed) : 0;
}

TimeStatistics statistics_of(std::vector<double> seconds) {
  REHEARSE_ASSERT(!seconds.empty(), "statistics of no run");
  std::ranges::sort(seconds);
  TimeStatistics result;
  result.runs = seconds.size();
  result.minimum = seconds.front();
  result.tenth = quantile_of(seconds, 0.1);
  result.median = quantile_of(seconds, 0.5);
  result.ninetieth = quantile_of(seconds, 0.9);
  result.maximum = seconds.back();
  result.mean = result.all_equal() ? result.minimum : mean_of(seconds);  // without an error of rounding
  if (result.all_equal()) return result;
  result.deviation = std::sqrt(variance_of(seconds));
  result.skewness = skewness_of(seconds, result.mean);
  const double half = student_factor(result.runs - 1) * result.deviation / std::sqrt(static_cast<double>(result.runs));
  result.of_mean = {result.mean - half, result.mean + half};
  if (const std::size_t rank = rank_for_median(seconds.size()); rank > 0)
    result.of_median = {seconds[rank - 1], seconds[seconds.size() - rank]};
  return result;
}

}  // namespace rehearse::app
