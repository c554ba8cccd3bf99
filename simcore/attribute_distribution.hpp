// SPDX-License-Identifier: MIT
//
// Distributions of the attributes of generated platforms: speeds, cores, bandwidths, latencies, sizes of clusters.
//
// Forms:    5Gf                        always this value
//           1Gf..4Gf                   uniform
//           normal(MEAN,DEVIATION)     exponential(MEAN)
//           lognormal(MEDIAN,SIGMA)    SIGMA: deviation of the logarithm
//           pareto(LEAST,ALPHA)        P(X > x) = (LEAST / x)^ALPHA
//           choice(A:WEIGHT,B:WEIGHT)  one of these; a weight that is not given is 1
//           file:PATH                  one of the quantities of a file: one on each line, a weight behind it if wanted,
//                                      comments behind #. Relative names are relative to the working folder.
// Bounds:   normal, exponential, lognormal and pareto are truncated: a draw outside the bounds of the attribute is
//           drawn again. Numbers of cores and hosts are rounded before. Values that are given must lie within the
//           bounds.
// Machines: equal seeds give equal values everywhere: platform/generator/portable_math.hpp.
// Errors:   the given text and the accepted ones; of a file with its line.
// Threads:  none.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "simcore/support/random.hpp"
#include "simcore/support/result.hpp"

namespace rehearse {

struct AttributeBounds {
  double least = 0;
  double most = 0;
  bool is_open = false;   // greater than `least`, not equal
  bool is_whole = false;  // whole numbers

  bool contain(double value) const;
  std::string text() const;  // "greater than 0", "1 to 1000000"
};

class AttributeDistribution {
 public:
  struct Uniform {
    double low = 0, high = 0;
  };
  struct Normal {
    double mean = 0, deviation = 0;
  };
  struct Exponential {
    double mean = 0;
  };
  struct Lognormal {
    double median = 0, sigma = 0;
  };
  struct Pareto {
    double least = 0, alpha = 0;
  };
  struct List {
    std::vector<double> values, sums;  // sums: of the weights up to each value
  };
  using Variant = std::variant<Uniform, Normal, Exponential, Lognormal, Pareto, List>;

  AttributeDistribution(double low, double high) : law_(Uniform{low, high}) {}
  explicit AttributeDistribution(Variant law) : law_(std::move(law)) {}

  const Variant& law() const { return law_; }
  // Of a value or LOW..HIGH: the upper end; otherwise nothing.
  std::optional<double> upper_end() const;
  // What keeps it from being a distribution of such an attribute, or nothing.
  std::optional<Error> fault(const AttributeBounds& bounds) const;
  // Nothing: a thousand draws in a row were out of bounds. Requires a distribution without fault.
  std::optional<double> draw(SplitMix& random, const AttributeBounds& bounds) const;

 private:
  double draw_once(SplitMix& random) const;
  Variant law_;
};

// Units of platform files; of counts none.
Result<AttributeDistribution> parse_speed_distribution(const std::string& text);
Result<AttributeDistribution> parse_bandwidth_distribution(const std::string& text);
Result<AttributeDistribution> parse_latency_distribution(const std::string& text);
Result<AttributeDistribution> parse_count_distribution(const std::string& text);

}  // namespace rehearse
