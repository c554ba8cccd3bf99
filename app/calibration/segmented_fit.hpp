// SPDX-License-Identifier: MIT
//
// Segmented regression: straight lines over neighbouring sizes, with breakpoints that the data decide.
//
// Method: dynamic programming over all ways to divide the sizes into 1 to 8 segments finds the least sum of squared
//         relative errors for each number of segments (Bellman, Roth, Curve fitting by segmented straight lines, JASA
//         64, 1969; Bai, Perron, Computation and analysis of multiple structural change models, Journal of Applied
//         Econometrics 18, 2003). Lines need not meet, because a change of protocol is a step.
// Choice: of the number of segments by the Bayesian information criterion (Schwarz, Annals of Statistics 6, 1978): the
//         least n log(S/n) + c p log n, with p = 3 k - 1 parameters (two for each line, one for each breakpoint). With
//         c = 1 its premises do not hold for breakpoints, which a search over many places finds, and it takes too many
//         (Liu, Wu, Zidek, On segmented multivariate regression, Statistica Sinica 7, 1997): c = 2.
// Noise:  differences below `noise_floor` are never a reason for a breakpoint.
// Units:  bytes, seconds.
#pragma once

#include <cstddef>
#include <vector>

namespace rehearse::app {

struct FitPoint {
  double bytes = 0;
  double seconds = 0;
  double reference = 0;  // errors are relative to this, above 0
};

struct FitOptions {
  std::size_t segments_max = 8;
  std::size_t points_min = 4;           // of a segment, if its part of the sizes has so many
  std::vector<double> boundaries = {};  // no segment has sizes up to a boundary and above it
  double least_intercept = 0;           // of each line, in seconds
  double least_slope = 0;               // of each line, in seconds per byte
  double noise_floor = 2e-3;            // relative
};

struct LinePiece {
  double above_bytes = 0;  // it holds for sizes above this; of the first piece: -1
  double intercept = 0, slope = 0;
  double intercept_error = 0, slope_error = 0;  // standard errors
  std::size_t points = 0;

  double at(double bytes) const { return intercept + slope * bytes; }
};

struct SegmentedFit {
  std::vector<LinePiece> pieces;  // at least one if there were points
  double relative_error = 0;      // root of the mean squared relative error
  std::vector<double> ignored;    // sizes far from both neighbours' line: not part of the fit
  // The criterion, in which each ignored size counts as a parameter (its shift). It compares fits of the same sizes by
  // different models: the smaller, the better.
  double criterion = 0;

  const LinePiece& piece(double bytes) const;
  double at(double bytes) const { return piece(bytes).at(bytes); }
};

// n log(mean_square + noise_floor^2): what the errors of `n` values add to a criterion.
double criterion_of_errors(double n, double mean_square, double noise_floor);

// `points`: by strictly rising sizes.
SegmentedFit fit_segments(const std::vector<FitPoint>& points, const FitOptions& options = {});

}  // namespace rehearse::app
