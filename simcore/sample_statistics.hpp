// SPDX-License-Identifier: MIT
//
// Statistics of repeated measurements: the precision of a mean, the precision of a distribution, and the distribution
// itself in at most 100 values.
//
// Units:  the unit of the samples.
// Source: W. Gosset ("Student"), The probable error of a mean, 1908; Abramowitz and Stegun, 26.7.5 (quantiles of t);
//         P. Massart, The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality, 1990;
//         G. Fishman, Grouping observations in digital simulation, 1978 (batches);
//         S. Bobkov, M. Ledoux, One-dimensional empirical measures, order statistics, and Kantorovich transport
//         distances, 2019, theorem 3.2 (mean distance of quantiles).
// Threads: none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/support/random.hpp"

namespace rehearse {

// The quantile 0.975 of Student's distribution: half-widths of 95 % intervals in standard errors. Requires freedom > 0.
double student_factor(std::uint64_t freedom);

// The correlation of neighbours in the sequence; 0 for fewer than 3 samples or constant ones.
double correlation_of_neighbours(std::span<const double> samples);

struct MeanPrecision {
  double mean = 0;
  double standard_error = 0;  // infinite: not known yet
  double half_width = 0;      // of the 95 % confidence interval; infinite: not known yet
  std::uint64_t batch = 1;    // number of consecutive samples in each batch
};

// The samples are in the order of their measurement. While neighbours have a correlation above 0.2, batches of them
// take their place; if fewer than 5 batches remain, nothing is known yet.
MeanPrecision precision_of_mean(std::span<const double> samples);

// With probability 95 %, a distribution of `count` samples differs nowhere by more than this from the true one.
double distribution_error(std::uint64_t count);

// The smallest number of samples whose distribution_error() is at most `error`. Requires 0 < error.
std::uint64_t samples_for_distribution(double error);

// The mean distance between the quantiles of these samples and those of the true distribution, as it is expected
// (Wasserstein distance): the integral of sqrt(F (1 - F) / n). Infinite for fewer than 2 samples.
double distribution_distance(std::vector<double> samples);

// An empirical distribution: all samples, or for more than 100 of them the mean of each hundredth of the sorted
// samples. So its mean is that of the samples, and each draw lies between their extremes.
class EmpiricalDistribution {
 public:
  static constexpr std::size_t most_values = 100;

  EmpiricalDistribution() = default;
  explicit EmpiricalDistribution(std::vector<double> samples);
  // From values(), in ascending order.
  static EmpiricalDistribution from_values(std::vector<double> values);

  bool is_empty() const { return values_.empty(); }
  std::span<const double> values() const { return values_; }  // ascending, all equally probable
  double mean() const;
  double draw(SplitMix& random) const;  // requires that it is not empty

 private:
  std::vector<double> values_;
};

}  // namespace rehearse
