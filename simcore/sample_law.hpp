// SPDX-License-Identifier: MIT
//
// A law for the time of code by its sizes: t = a + b x, where x is the product of the sizes.
//
// Fit:     a and b are not negative, and the sum of the squares of relative residuals is the smallest, because a small
//          size matters as much as a large one.
// Refused: fewer than 4 different products, a size that is not positive, a time that is not positive, and a law that is
//          wrong by more than 10 % at one of the classes that it comes from.
// Units:   seconds.
// Source:  C. Lawson, R. Hanson, Solving Least Squares Problems, 1974, chapter 23 (coefficients that are not negative).
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace rehearse {

struct SizedTime {
  double product = 0;
  double seconds = 0;
};

struct SampleLaw {
  static constexpr std::size_t least_classes = 4;
  static constexpr double most_residual = 0.1;

  double constant = 0, slope = 0;  // a and b
  double r_squared = 0;            // part of the variance of the times that the law explains
  double largest_residual = 0;     // relative to the measured time
  double least = 0, most = 0;      // products of the classes that it comes from
  std::size_t classes = 0;

  double seconds(double product) const { return constant + slope * product; }
  bool contains(double product) const { return product >= least && product <= most; }
};

double product_of(std::span<const std::int64_t> numbers);

// Nothing: refused.
std::optional<SampleLaw> fit_law(std::span<const SizedTime> sizes);

}  // namespace rehearse
