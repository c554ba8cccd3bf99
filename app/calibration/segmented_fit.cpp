// SPDX-License-Identifier: MIT
//
// See segmented_fit.hpp.
#include "app/calibration/segmented_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/calibration/line_sums.hpp"
#include "app/calibration/size_points.hpp"

namespace rehearse::app {
namespace {

constexpr double criterion_factor = 2;  // c of the header; see tests/unit/app/calibration
constexpr double far_deviations = 6;    // of an ignored point
constexpr double near_deviations = 3;   // of its neighbours
constexpr double infinite = std::numeric_limits<double>::infinity();

double parameters_of(std::size_t segments) { return 3 * static_cast<double>(segments) - 1; }
double penalty(double parameters, double n) { return criterion_factor * parameters * std::log(n); }

// The boundaries of segments as indices of points.
class SegmentSearch {
 public:
  SegmentSearch(const std::vector<FitPoint>& points, const FitOptions& options)
      : points_(points), options_(options), sums_(points, options.least_intercept, options.least_slope) {
    find_parts();
  }

  // The last indices (exclusive) of the best division.
  std::vector<std::size_t> best() {
    const std::size_t n = points_.size();
    const std::size_t most = std::max(options_.segments_max, parts_);
    std::vector<std::vector<double>> least(most + 1, std::vector<double>(n + 1, infinite));
    std::vector<std::vector<std::size_t>> from(most + 1, std::vector<std::size_t>(n + 1, 0));
    least[0][0] = 0;
    double best_criterion = infinite;
    std::size_t best_count = 0;
    for (std::size_t k = 1; k <= most; ++k) {
      for (std::size_t last = 1; last <= n; ++last)
        for (std::size_t first = 0; first < last; ++first) {
          if (least[k - 1][first] == infinite || !is_allowed(first, last)) continue;
          const double squares = least[k - 1][first] + sums_.over(first, last).squares;
          if (squares < least[k][last]) {
            least[k][last] = squares;
            from[k][last] = first;
          }
        }
      const double criterion = criterion_of(least[k][n], k);
      if (criterion < best_criterion) {
        best_criterion = criterion;
        best_count = k;
      }
    }
    std::vector<std::size_t> ends;
    for (std::size_t at = n, k = best_count; k > 0; --k) {
      ends.push_back(at);
      at = from[k][at];
    }
    std::reverse(ends.begin(), ends.end());
    return ends;
  }

  LineSums::Line line(std::size_t first, std::size_t last) const { return sums_.over(first, last); }

 private:
  // Between forced boundaries; a part with few points may be one segment.
  void find_parts() {
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= points_.size(); ++i)
      if (i == points_.size() || is_boundary(i)) {
        part_begin_.resize(i, begin);
        part_size_.resize(i, i - begin);
        begin = i;
        ++parts_;
      }
  }
  bool is_boundary(std::size_t i) const {
    return std::ranges::any_of(options_.boundaries, [&](double boundary) {
      return points_[i - 1].bytes <= boundary && boundary < points_[i].bytes;
    });
  }
  bool is_allowed(std::size_t first, std::size_t last) const {
    if (part_begin_[first] != part_begin_[last - 1]) return false;
    return last - first >= std::min(options_.points_min, part_size_[first]);
  }
  double criterion_of(double squares, std::size_t segments) const {
    if (squares == infinite) return infinite;
    const auto n = static_cast<double>(points_.size());
    return criterion_of_errors(n, squares / n, options_.noise_floor) + penalty(parameters_of(segments), n);
  }

  const std::vector<FitPoint>& points_;
  const FitOptions& options_;
  LineSums sums_;
  std::vector<std::size_t> part_begin_, part_size_;  // by point
  std::size_t parts_ = 0;
};

// Where a piece ends: the crossing of the lines if it is between the sizes, otherwise their geometric mean.
double bound_between(const FitPoint& below, const FitPoint& above, const LinePiece& one, const LinePiece& next,
                     const FitOptions& options) {
  for (const double boundary : options.boundaries)
    if (below.bytes <= boundary && boundary < above.bytes) return boundary;
  const double crossing = (next.intercept - one.intercept) / (one.slope - next.slope);
  if (std::isfinite(crossing) && crossing >= below.bytes && crossing < above.bytes) return std::floor(crossing);
  return std::floor(std::sqrt(std::max(below.bytes, 1.0) * above.bytes));
}

SegmentedFit fit_once(const std::vector<FitPoint>& points, const FitOptions& options) {
  SegmentedFit fit;
  if (points.empty()) return fit;
  SegmentSearch search(points, options);
  const std::vector<std::size_t> ends = search.best();
  double squares = 0;
  std::size_t first = 0;
  for (const std::size_t last : ends) squares += search.line(std::exchange(first, last), last).squares;
  const double freedom = std::max(1.0, static_cast<double>(points.size()) - 2 * static_cast<double>(ends.size()));
  const double variance = squares / freedom;
  fit.relative_error = std::sqrt(squares / static_cast<double>(points.size()));
  first = 0;
  for (const std::size_t last : ends) {
    const LineSums::Line line = search.line(first, last);
    LinePiece piece{-1,
                    line.intercept,
                    line.slope,
                    std::sqrt(variance * line.intercept_variance),
                    std::sqrt(variance * line.slope_variance),
                    last - first};
    if (first > 0)
      piece.above_bytes = bound_between(points[first - 1], points[first], fit.pieces.back(), piece, options);
    fit.pieces.push_back(piece);
    first = last;
  }
  return fit;
}

// Points far from a line that their neighbours are close to: all repetitions of such a size were disturbed.
std::vector<FitPoint> without_far_points(const std::vector<FitPoint>& points, const SegmentedFit& fit,
                                         double noise_floor, std::vector<double>& ignored) {
  std::vector<double> errors;
  for (const FitPoint& point : points)
    errors.push_back(std::abs(point.seconds - fit.at(point.bytes)) / point.reference);
  const double scale = std::max(1.4826 * quantile(errors, 0.5), noise_floor);
  const auto is_near = [&](std::size_t i) { return i >= points.size() || errors[i] < near_deviations * scale; };
  std::vector<FitPoint> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (errors[i] > far_deviations * scale && i > 0 && is_near(i - 1) && is_near(i + 1))
      ignored.push_back(points[i].bytes);
    else kept.push_back(points[i]);
  }
  return kept;
}

}  // namespace

const LinePiece& SegmentedFit::piece(double bytes) const {
  const LinePiece* found = &pieces.front();
  for (const LinePiece& piece : pieces)
    if (piece.above_bytes < bytes) found = &piece;
  return *found;
}

double criterion_of_errors(double n, double mean_square, double noise_floor) {
  return n * std::log(mean_square + noise_floor * noise_floor);
}

SegmentedFit fit_segments(const std::vector<FitPoint>& points, const FitOptions& options) {
  SegmentedFit fit = fit_once(points, options);
  if (points.size() >= 2 * options.points_min) {
    std::vector<double> ignored;
    const std::vector<FitPoint> kept = without_far_points(points, fit, options.noise_floor, ignored);
    if (!ignored.empty()) {
      fit = fit_once(kept, options);
      fit.ignored = std::move(ignored);
    }
  }
  const auto n = static_cast<double>(points.size());
  const double parameters = parameters_of(fit.pieces.size()) + static_cast<double>(fit.ignored.size());
  fit.criterion = criterion_of_errors(n, fit.relative_error * fit.relative_error, options.noise_floor) +
                  penalty(parameters, n);
  return fit;
}

}  // namespace rehearse::app
