// SPDX-License-Identifier: MIT
//
// The distribution of measured times: at most 101 points of its quantile function, and a law for its upper tail.
//
// Points:  for at most 100 samples, each of them at (i + 0.5) / n. For more, 80 bins of equal probability up to 0.8,
// and
//          20 bins whose upper tail shrinks geometrically from 0.2 to 1 / n, the last one up to the maximum. The
//          slowest of many ranks lives in the last percent, which bins of equal probability spread evenly
//          (docs/many-node.md). Between points the quantile function is linear.
// Tail:    a generalised Pareto law for the largest tenth, at least 25 samples, by probability-weighted moments with
//          plotting positions (i - 0.35) / m. Its shape stays within [-0.5, 0.5]: a cliff, or a tail without a
//          variance, is not believed.
// Units:   the unit of the samples.
// Source:  J. Hosking, J. Wallis, Parameter and quantile estimation for the generalized Pareto distribution, 1987.
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::manynode {

struct QuantilePoint {
  double probability = 0, value = 0;
  bool operator==(const QuantilePoint&) const = default;
};

struct ParetoTail {
  double from = 0, shape = 0, scale = 0;
  double share = 0.1;  // probability of a value above `from`

  // Requires 1 - share <= u < 1.
  double quantile(double u) const;
  bool operator==(const ParetoTail&) const = default;
};

// How far the fitted tail reaches down.
enum class TailUse {
  measured,        // never: draws stay below the largest sample
  beyond_samples,  // where u is above 1 - 1 / n: as many draws as samples, or fewer
  fitted,          // all of the largest tenth: more draws than samples
};

class BinnedDistribution {
 public:
  static constexpr std::size_t most_bins = 100, lower_bins = 80;
  static constexpr double tail_part = 0.1;
  static constexpr std::size_t least_tail_samples = 25;

  BinnedDistribution() = default;  // empty
  // Requires a sample; they must be finite.
  explicit BinnedDistribution(std::vector<double> samples);

  // From a profile. The points must rise in probability (within 0..1) and must not fall in value.
  static Result<BinnedDistribution> from_points(std::vector<QuantilePoint> points, std::optional<ParetoTail> tail,
                                                std::uint64_t samples, double mean, double deviation);

  // The value below which a part u of the distribution lies, 0 < u < 1. Requires a distribution that is not empty.
  double quantile(double u, TailUse use = TailUse::fitted) const;
  // Expectation of the greatest of `count` draws, by integration over its law. Requires count >= 1. With count 1 and a
  // fitted tail it is not exactly the mean of the samples.
  double mean_of_greatest(double count, TailUse use = TailUse::fitted) const;

  bool is_empty() const { return points_.empty(); }
  std::span<const QuantilePoint> points() const { return points_; }
  const std::optional<ParetoTail>& tail() const { return tail_; }
  std::uint64_t samples() const { return samples_; }
  double mean() const { return mean_; }            // of the samples
  double deviation() const { return deviation_; }  // standard deviation of the samples, divided by n
  double least() const { return points_.front().value; }
  double greatest() const { return points_.back().value; }

 private:
  std::vector<QuantilePoint> points_;
  std::optional<ParetoTail> tail_;  // nothing: fewer than 50 samples, or samples without an upper tail
  std::uint64_t samples_ = 0;
  double mean_ = 0, deviation_ = 0;
};

// The points, and the tail if there is one, of ascending samples.
std::vector<QuantilePoint> points_of(std::span<const double> ascending);
std::optional<ParetoTail> fit_tail(std::span<const double> ascending);

// The largest distance between the steps of ascending samples and the distribution function of these points
// (Kolmogorov-Smirnov).
double distance_of(std::span<const double> ascending, const BinnedDistribution& distribution);

// The probability that two samples of one distribution differ at least as much as these two (asymptotic law of
// Kolmogorov and Smirnov). Requires samples in both. `independent`: the part of them that counts, if they are
// correlated.
double probability_of_same(std::vector<double> first, std::vector<double> second, double independent = 1);

// Tails of samples that are drawn from these again, with repetition: the uncertainty of the fit (bootstrap). Nothing if
// the samples have no tail.
std::vector<ParetoTail> resampled_tails(std::span<const double> ascending, std::size_t count, std::uint64_t seed);

}  // namespace rehearse::manynode
