// SPDX-License-Identifier: MIT
//
// Breakpoints of noisy lines.
#include "app/calibration/segmented_fit.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "app/calibration/size_points.hpp"

namespace rehearse::app {
namespace {

constexpr int repetitions = 20;

// Medians of repetitions with log-normal noise, 5 % of which are up to 5 times as long.
std::vector<FitPoint> noisy_points(const std::function<double(double)>& time, std::uint64_t seed, double sigma,
                                   int sizes = 64) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<FitPoint> points;
  for (int i = 0; i < sizes; ++i) {
    const double bytes = std::floor(std::exp(std::log(2.0) + (i + uniform(random)) / sizes * std::log(2e6)));
    if (!points.empty() && bytes <= points.back().bytes) continue;
    std::vector<double> values;
    for (int r = 0; r < repetitions; ++r) {
      values.push_back(time(bytes) * std::exp(sigma * normal(random)));
      if (uniform(random) < 0.05) values.back() *= 1 + 4 * uniform(random);
    }
    const double median = quantile(values, 0.5);
    points.push_back({bytes, median, median});
  }
  return points;
}

double straight(double bytes) { return 250e-6 + bytes / 11.9e6; }

double three_lines(double bytes) {
  if (bytes > 65000) return 900e-6 + bytes / 11.9e6;
  if (bytes > 1400) return 300e-6 + bytes / 9e6;
  return 250e-6 + bytes / 11.9e6;
}

// Whether the bound is at most one size away from the place between two sizes where `truth` is.
bool is_within_a_step(const std::vector<FitPoint>& points, double bound, double truth) {
  std::ptrdiff_t here = 0, there = 0;
  for (const FitPoint& point : points) here += point.bytes <= bound, there += point.bytes <= truth;
  return std::abs(here - there) <= 1;
}

}  // namespace

TEST_CASE("segmented fit: straight data have no breakpoint") {
  int invented = 0;
  for (const double sigma : {0.0, 0.01, 0.03, 0.05})
    for (std::uint64_t seed = 0; seed < 50; ++seed)
      invented += fit_segments(noisy_points(straight, seed, sigma)).pieces.size() > 1;
  CHECK(invented <= 1);  // of 200; the criterion accepts a small probability
}

TEST_CASE("segmented fit: breakpoints are found within one size, and slopes within 2 %") {
  int wrong_counts = 0;
  for (const double sigma : {0.0, 0.01, 0.03, 0.05})
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const auto points = noisy_points(three_lines, seed, sigma);
      const SegmentedFit fit = fit_segments(points);
      if (fit.pieces.size() != 3) {
        ++wrong_counts;
        continue;
      }
      INFO("seed " << seed << ", noise " << sigma);
      CHECK(is_within_a_step(points, fit.pieces[1].above_bytes, 1400));
      CHECK(is_within_a_step(points, fit.pieces[2].above_bytes, 65000));
      // A slope is known as well as its standard error says; at 1 % noise, to 2 %.
      if (sigma <= 0.01) CHECK(std::abs(fit.pieces[2].slope * 11.9e6 - 1) < 0.02);
      CHECK(std::abs(fit.pieces[2].slope * 11.9e6 - 1) < 0.001 + 5 * fit.pieces[2].slope_error * 11.9e6);
    }
  CHECK(wrong_counts <= 4);
}

TEST_CASE("segmented fit: a given boundary divides the sizes, and a part with few sizes is a line") {
  std::vector<FitPoint> points;
  for (const double bytes : {1.0, 10.0, 100.0, 1000.0, 10000.0, 20000.0})
    points.push_back({bytes, bytes > 5000 ? 2e-4 + bytes * 1e-7 : 1e-4 + bytes * 1e-7, 1e-4});
  FitOptions options;
  options.boundaries = {5000};
  const SegmentedFit fit = fit_segments(points, options);
  REQUIRE(fit.pieces.size() == 2);
  CHECK(fit.pieces[1].above_bytes == 5000);
  CHECK(fit.at(5000) == Approx(1e-4 + 5e-4));
  CHECK(fit.at(5001) == Approx(2e-4 + 5e-4).epsilon(1e-3));
}

TEST_CASE("segmented fit: lines keep their least intercept and slope") {
  std::vector<FitPoint> points;
  for (int i = 1; i <= 10; ++i) points.push_back({i * 100.0, i * 1e-5 - 2e-6, i * 1e-5});
  FitOptions options;
  options.least_intercept = 1e-6;
  CHECK(fit_segments(points, options).pieces[0].intercept >= 1e-6);
  for (FitPoint& point : points) point.seconds = 1e-4 - point.bytes * 1e-9;
  options.least_slope = 1e-12;
  const SegmentedFit fit = fit_segments(points, options);
  CHECK(fit.pieces[0].slope >= 1e-12);
}

TEST_CASE("segmented fit: a size whose repetitions are all disturbed is ignored") {
  auto points = noisy_points(straight, 7, 0.005);
  points[30].seconds *= 3;
  points[30].reference *= 3;
  const SegmentedFit fit = fit_segments(points);
  CHECK(fit.pieces.size() == 1);
  REQUIRE(fit.ignored.size() == 1);
  CHECK(fit.ignored[0] == points[30].bytes);
  CHECK(fit.pieces[0].slope == Approx(1 / 11.9e6).epsilon(0.01));
}

}  // namespace rehearse::app
