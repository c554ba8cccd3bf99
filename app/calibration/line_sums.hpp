// SPDX-License-Identifier: MIT
//
// Weighted least squares of a line over a range of points, in constant time for each range (sums over prefixes).
//
// Source: the normal equations; lower bounds of intercept and slope as active constraints, of which one or both hold.
#pragma once

#include <span>
#include <vector>

#include "app/calibration/segmented_fit.hpp"

namespace rehearse::app {

class LineSums {
 public:
  LineSums(std::span<const FitPoint> points, double least_intercept, double least_slope);

  struct Line {
    double intercept = 0, slope = 0;
    double squares = 0;                                 // sum of the squared relative errors
    double intercept_variance = 0, slope_variance = 0;  // with errors of variance 1
  };
  // Of the points from `first` to before `last`.
  Line over(std::size_t first, std::size_t last) const;

 private:
  struct Sums {
    long double w = 0, x = 0, xx = 0, y = 0, xy = 0, yy = 0;  // weighted
  };
  static double squares_of(const Sums& sums, double intercept, double slope);
  void constrain(const Sums& sums, Line& line) const;

  std::vector<Sums> prefixes_;
  double least_intercept_, least_slope_;
};

}  // namespace rehearse::app
