// SPDX-License-Identifier: MIT
//
// Laws of computation times, by name and parameters. A draw is the quantile function of a uniform number.
//
// Laws:    constant (value), uniform (low, high), exponential (mean, shift), normal (mean, sd), lognormal (mu, sigma),
//          pareto (least, alpha), empirical (a binned distribution).
// Units:   seconds, but for `mu`, `sigma` and `alpha`.
// Errors:  a name that is unknown, a parameter that is missing, unknown or outside its range, in one line.
// Threads: none.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "manynode/distribution.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::manynode {

struct ConstantLaw {
  double value = 0;
};
struct UniformLaw {
  double low = 0, high = 0;
};
struct ExponentialLaw {
  double mean = 0, shift = 0;  // the mean is that above the shift
};
struct NormalLaw {
  double mean = 0, sd = 0;
};
struct LognormalLaw {
  double mu = 0, sigma = 0;
};
struct ParetoLaw {
  double least = 0, alpha = 0;
};
struct EmpiricalLaw {
  BinnedDistribution distribution;
  TailUse use = TailUse::fitted;
};

class Law {
 public:
  using Variant =
      std::variant<ConstantLaw, UniformLaw, ExponentialLaw, NormalLaw, LognormalLaw, ParetoLaw, EmpiricalLaw>;

  Law(Variant law) : law_(std::move(law)) {}

  // Of all but `empirical`. A shift that is not given is 0.
  static Result<Law> named(std::string_view name, const std::map<std::string, double>& parameters);
  static const std::vector<std::string>& names();  // all, with `empirical`

  const Variant& variant() const { return law_; }
  std::string_view name() const;
  std::map<std::string, double> parameters() const;  // nothing for `empirical`

  // Requires 0 < u < 1. Of `normal` it can be negative: a user of times cuts it at 0.
  double quantile(double u) const;
  double mean() const;  // of `pareto` with alpha <= 1 infinite, which named() refuses

 private:
  Variant law_;
};

// E and variance of the greatest of `count` independent draws: integrals of the quantile function over the law of
// U^(1/count), a Gumbel variable for large counts. Requires count >= 1.
struct GreatestMoments {
  double mean = 0, variance = 0;
};
GreatestMoments moments_of_greatest(const Law& law, double count);

}  // namespace rehearse::manynode
