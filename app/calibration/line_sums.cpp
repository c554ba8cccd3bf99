// SPDX-License-Identifier: MIT
//
// See line_sums.hpp.
#include "app/calibration/line_sums.hpp"

#include <algorithm>
#include <limits>

namespace rehearse::app {

LineSums::LineSums(std::span<const FitPoint> points, double least_intercept, double least_slope)
    : prefixes_(1), least_intercept_(least_intercept), least_slope_(least_slope) {
  for (const FitPoint& point : points) {
    Sums sums = prefixes_.back();
    const long double w = 1.0L / (static_cast<long double>(point.reference) * point.reference);
    const long double x = point.bytes, y = point.seconds;
    sums.w += w;
    sums.x += w * x;
    sums.xx += w * x * x;
    sums.y += w * y;
    sums.xy += w * x * y;
    sums.yy += w * y * y;
    prefixes_.push_back(sums);
  }
}

double LineSums::squares_of(const Sums& s, double intercept, double slope) {
  const long double a = intercept, b = slope;
  const long double squares = s.yy - 2 * a * s.y - 2 * b * s.xy + a * a * s.w + 2 * a * b * s.x + b * b * s.xx;
  return static_cast<double>(std::max(squares, 0.0L));
}

// The best line on each bound that the free one violates; the better of both.
void LineSums::constrain(const Sums& s, Line& line) const {
  if (line.intercept >= least_intercept_ && line.slope >= least_slope_) return;
  double best = std::numeric_limits<double>::infinity();
  const auto propose = [&](double intercept, double slope) {
    intercept = std::max(intercept, least_intercept_);
    slope = std::max(slope, least_slope_);
    const double squares = squares_of(s, intercept, slope);
    if (squares >= best) return;
    best = squares;
    line.intercept = intercept;
    line.slope = slope;
  };
  if (s.xx > 0) propose(least_intercept_, static_cast<double>((s.xy - least_intercept_ * s.x) / s.xx));
  propose(static_cast<double>((s.y - least_slope_ * s.x) / s.w), least_slope_);
}

LineSums::Line LineSums::over(std::size_t first, std::size_t last) const {
  const Sums &to = prefixes_[last], &from = prefixes_[first];
  const Sums s{to.w - from.w, to.x - from.x, to.xx - from.xx, to.y - from.y, to.xy - from.xy, to.yy - from.yy};
  Line line;
  const long double determinant = s.w * s.xx - s.x * s.x;
  if (last - first < 2 || determinant <= 1e-12L * s.w * s.xx) {
    line.slope = least_slope_;
    line.intercept = static_cast<double>((s.y - least_slope_ * s.x) / s.w);
  } else {
    line.slope = static_cast<double>((s.w * s.xy - s.x * s.y) / determinant);
    line.intercept = static_cast<double>((s.xx * s.y - s.x * s.xy) / determinant);
    line.intercept_variance = static_cast<double>(s.xx / determinant);
    line.slope_variance = static_cast<double>(s.w / determinant);
  }
  constrain(s, line);
  line.squares = squares_of(s, line.intercept, line.slope);
  return line;
}

}  // namespace rehearse::app
