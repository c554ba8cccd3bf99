// SPDX-License-Identifier: MIT
//
// Precision of means and distributions, against tables and repeated experiments.
#include "simcore/sample_statistics.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

using namespace rehearse;

namespace {

double normal(SplitMix& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

// Each sample is `memory` times the one before, and noise; the true mean is 10.
std::vector<double> correlated(SplitMix& random, std::size_t count, double memory) {
  std::vector<double> samples;
  double state = normal(random) / std::sqrt(1 - memory * memory);
  for (std::size_t i = 0; i < count; ++i) {
    samples.push_back(10 + state);
    state = memory * state + normal(random);
  }
  return samples;
}

// The part of 1,000 experiments whose interval contains the true mean; `none`: those without an interval.
double coverage(double memory, std::size_t count, int* none) {
  SplitMix random(7);
  int contains = 0, all = 0;
  for (int i = 0; i < 1000; ++i) {
    const MeanPrecision precision = precision_of_mean(correlated(random, count, memory));
    if (std::isinf(precision.half_width)) {
      ++*none;
      continue;
    }
    ++all;
    contains += std::abs(precision.mean - 10) <= precision.half_width;
  }
  return static_cast<double>(contains) / all;
}

}  // namespace

TEST_CASE("sample statistics: factors of Student's distribution are those of the tables", "[simcore]") {
  CHECK(student_factor(1) == Approx(12.7062).epsilon(1e-4));
  CHECK(student_factor(3) == Approx(3.18245).epsilon(1e-4));
  CHECK(student_factor(4) == Approx(2.77645).epsilon(1e-3));
  CHECK(student_factor(10) == Approx(2.22814).epsilon(1e-4));
  CHECK(student_factor(30) == Approx(2.04227).epsilon(1e-5));
  CHECK(student_factor(1000000) == Approx(1.95996).epsilon(1e-5));
}

TEST_CASE("sample statistics: the interval of a mean is that of the formula", "[simcore]") {
  const std::vector<double> samples = {1, 3, 2, 5, 4};  // variance 2.5
  const MeanPrecision precision = precision_of_mean(samples);
  CHECK(correlation_of_neighbours(samples) == Approx(0).margin(1e-12));
  CHECK(precision.mean == 3);
  CHECK(precision.standard_error == Approx(std::sqrt(0.5)));
  CHECK(precision.half_width == Approx(student_factor(4) * std::sqrt(0.5)));
  CHECK(std::isinf(precision_of_mean(std::vector<double>{1.0}).half_width));
}

TEST_CASE("sample statistics: 95 % of the intervals of independent samples contain the mean", "[simcore]") {
  int none = 0;
  CHECK(coverage(0, 100, &none) == Approx(0.95).margin(0.025));  // 3.6 standard deviations of 1,000 experiments
  CHECK(none < 10);
}

TEST_CASE("sample statistics: batches make up for correlation", "[simcore]") {
  int none = 0;
  CHECK(coverage(0.8, 2000, &none) >= 0.88);
  CHECK(none < 100);
  SplitMix random(3);
  const std::vector<double> samples = correlated(random, 2000, 0.8);
  const MeanPrecision precision = precision_of_mean(samples);
  CHECK(precision.batch >= 4);
  double square = 0;
  for (const double each : samples) square += (each - precision.mean) * (each - precision.mean);
  CHECK(precision.standard_error > 2 * std::sqrt(square / 1999 / 2000));  // the true ratio is 3
}

TEST_CASE("sample statistics: a trend in few samples gives no interval", "[simcore]") {
  std::vector<double> samples(9);
  std::iota(samples.begin(), samples.end(), 0.0);
  CHECK(std::isinf(precision_of_mean(samples).half_width));
}

TEST_CASE("sample statistics: the bound of distributions is that of Massart", "[simcore]") {
  CHECK(samples_for_distribution(0.1) == 185);
  CHECK(distribution_error(185) <= 0.1);
  CHECK(distribution_error(184) > 0.1);
  CHECK(distribution_error(0) == 1);
}

TEST_CASE("sample statistics: at most 1 in 20 distributions is further away than its bound", "[simcore]") {
  SplitMix random(11);
  int beyond = 0;
  for (int experiment = 0; experiment < 1000; ++experiment) {
    std::vector<double> samples(185);
    for (double& each : samples) each = random.uniform();
    std::ranges::sort(samples);
    double distance = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
      distance = std::max(
          {distance, static_cast<double>(i + 1) / 185 - samples[i], samples[i] - static_cast<double>(i) / 185});
    beyond += distance > distribution_error(185);
  }
  CHECK(beyond <= 65);  // 50 are expected at most, with a standard deviation of 7
  CHECK(beyond >= 15);  // the bound is tight
}

TEST_CASE("empirical distribution: few samples are kept, many become 100 values with the same mean", "[simcore]") {
  CHECK(EmpiricalDistribution({3, 1, 2}).values().size() == 3);
  CHECK(EmpiricalDistribution({3, 1, 2}).values().front() == 1);
  SplitMix random(5);
  std::vector<double> samples(1234);
  for (double& each : samples) each = std::exp(normal(random));
  const EmpiricalDistribution distribution(samples);
  CHECK(distribution.values().size() == 100);
  CHECK(std::ranges::is_sorted(distribution.values()));
  CHECK(distribution.mean() == Approx(std::accumulate(samples.begin(), samples.end(), 0.0) / 1234).epsilon(1e-12));
  CHECK(distribution.values().back() <= *std::ranges::max_element(samples));
}

TEST_CASE("empirical distribution: the values ascend in spite of rounding", "[simcore]") {
  SplitMix random(7);
  for (std::size_t count = 101; count < 400; ++count) {
    std::vector<double> samples(count);
    for (double& each : samples) each = 1.7e-7 + 1e-9 * static_cast<double>(random.below(3));
    CHECK(std::ranges::is_sorted(EmpiricalDistribution(samples).values()));
  }
}

TEST_CASE("empirical distribution: draws of two modes give no value between them", "[simcore]") {
  std::vector<double> samples;
  for (int i = 0; i < 400; ++i) samples.push_back(i % 4 == 0 ? 4 : 1);
  const EmpiricalDistribution distribution(samples);
  SplitMix random(1);
  int high = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = distribution.draw(random);
    CHECK((value == 1 || value == 4));
    high += value == 4;
  }
  CHECK(high == Approx(2500).margin(200));  // 4.6 standard deviations
}

// Of a uniform distribution from 0 to 1, the integral of sqrt(F (1 - F)) is pi/8, and the true mean distance of the
// quantiles is smaller.
TEST_CASE("sample statistics: the expected distance of quantiles bounds the true one", "[simcore]") {
  CHECK(distribution_distance({1, 3}) == Approx(0.5 * 2 / std::sqrt(2.0)));
  CHECK(distribution_distance({2, 2, 2}) == 0);
  CHECK(std::isinf(distribution_distance({1})));
  SplitMix random(13);
  double expected = 0, distance = 0;
  constexpr int experiments = 400, count = 50;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    std::vector<double> samples(count);
    for (double& each : samples) each = random.uniform();
    expected += distribution_distance(samples) / experiments;
    std::ranges::sort(samples);
    for (int i = 0; i < count; ++i)
      distance += std::abs(samples[static_cast<std::size_t>(i)] - (i + 0.5) / count) / count / experiments;
  }
  CHECK(expected == Approx(std::numbers::pi / 8 / std::sqrt(50.0)).epsilon(0.05));
  CHECK(distance < expected);
  CHECK(distance > expected / 2);
}
