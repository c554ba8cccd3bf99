// SPDX-License-Identifier: MIT
//
// Statistics of the times of repeated runs.
//
// Units:     seconds.
// Quantiles: linear between the sorted times: definition 7 of Hyndman and Fan.
// Intervals: of confidence 95 %. That of the mean assumes that means of so many runs are normally distributed, and uses
//            Student's t; skewed_runs() says how many runs that takes. That of the median lies between two of the
//            sorted times and assumes nothing about the distribution; it needs at least 6 runs.
// Source:    R. Hyndman, Y. Fan, Sample quantiles in statistical packages, The American Statistician 50, 1996;
//            W. Gosset ("Student"), The probable error of a mean, Biometrika 6, 1908;
//            W. Cochran, Sampling techniques, 3rd edition, 1977, section 2.15 (runs for a skewed distribution);
//            H. David, H. Nagaraja, Order statistics, 3rd edition, 2003, section 7.1 (interval of a quantile).
// Threads:   none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rehearse::app {

inline constexpr double interval_confidence = 0.95;

struct ConfidenceInterval {
  double low = 0, high = 0;
};

struct TimeStatistics {
  std::uint64_t runs = 0;
  double mean = 0;
  double deviation = 0;  // standard deviation of the distribution, estimated; 0 for one run
  double minimum = 0, tenth = 0, median = 0, ninetieth = 0, maximum = 0;
  double skewness = 0;                          // third standardized moment of the times
  std::optional<ConfidenceInterval> of_mean;    // none: fewer than 2 runs, or all times are equal
  std::optional<ConfidenceInterval> of_median;  // none: fewer than 6 runs, or all times are equal

  bool all_equal() const { return minimum == maximum; }
  // The number of runs from which the interval of the mean can be trusted, if there are fewer; otherwise 0.
  std::uint64_t skewed_runs() const;
};

// Requires at least one time.
TimeStatistics statistics_of(std::vector<double> seconds);

double mean_of(std::span<const double> values);
// Squared deviations from the mean by one less than their number. Requires 2 values.
double variance_of(std::span<const double> values);
// `part`: 0 to 1. Requires ascending values, at least one.
double quantile_of(std::span<const double> ascending, double part);

}  // namespace rehearse::app
