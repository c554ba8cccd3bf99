// SPDX-License-Identifier: MIT
//
// Fits the law of sample_law.hpp. With two coefficients, the constrained optimum is the free one, or has one of them 0.
#include <algorithm>
#include <cmath>
#include <set>

#include "simcore/sample_law.hpp"

namespace rehearse {
namespace {

// Sums over the classes, weighted by 1 / time^2.
struct WeightedSums {
  double one = 0, x = 0, xx = 0, t = 0, xt = 0;
};

WeightedSums weighted_sums(std::span<const SizedTime> sizes) {
  WeightedSums sums;
  for (const SizedTime& each : sizes) {
    const double weight = 1 / (each.seconds * each.seconds);
    sums.one += weight;
    sums.x += weight * each.product;
    sums.xx += weight * each.product * each.product;
    sums.t += weight * each.seconds;
    sums.xt += weight * each.product * each.seconds;
  }
  return sums;
}

void note_quality(SampleLaw& law, std::span<const SizedTime> sizes) {
  double mean = 0, residuals = 0, deviations = 0;
  for (const SizedTime& each : sizes) mean += each.seconds / static_cast<double>(sizes.size());
  law.least = law.most = sizes.front().product;
  for (const SizedTime& each : sizes) {
    const double residual = each.seconds - law.seconds(each.product);
    residuals += residual * residual;
    deviations += (each.seconds - mean) * (each.seconds - mean);
    law.largest_residual = std::max(law.largest_residual, std::abs(residual) / each.seconds);
    law.least = std::min(law.least, each.product);
    law.most = std::max(law.most, each.product);
  }
  law.r_squared = deviations > 0 ? 1 - residuals / deviations : 1;
  law.classes = sizes.size();
}

}  // namespace

double product_of(std::span<const std::int64_t> numbers) {
  double product = numbers.empty() ? 0 : 1;
  for (const std::int64_t number : numbers) product *= static_cast<double>(std::max<std::int64_t>(number, 0));
  return product;
}

std::optional<SampleLaw> fit_law(std::span<const SizedTime> sizes) {
  std::set<double> products;
  for (const SizedTime& each : sizes) {
    if (!(each.product > 0) || !(each.seconds > 0)) return std::nullopt;
    products.insert(each.product);
  }
  if (products.size() < SampleLaw::least_classes) return std::nullopt;
  const WeightedSums sums = weighted_sums(sizes);
  SampleLaw law;
  const double determinant = sums.one * sums.xx - sums.x * sums.x;
  if (determinant > 0) {
    law.constant = (sums.xx * sums.t - sums.x * sums.xt) / determinant;
    law.slope = (sums.one * sums.xt - sums.x * sums.t) / determinant;
  }
  if (law.slope < 0 || !(determinant > 0)) {
    law.slope = 0;
    law.constant = sums.t / sums.one;
  } else if (law.constant < 0) {
    law.constant = 0;
    law.slope = sums.xt / sums.xx;
  }
  note_quality(law, sizes);
  if (law.largest_residual > SampleLaw::most_residual) return std::nullopt;
  return law;
}

}  // namespace rehearse
