// SPDX-License-Identifier: MIT
//
// Binned distributions: their distance from the samples, their tails, and the greatest of many draws against the law of
// the samples.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "manynode/distribution.hpp"
#include "manynode/law.hpp"
#include "manynode/random.hpp"

namespace rehearse::manynode {
namespace {

std::vector<double> draws_of(const Law& law, std::uint32_t count, std::uint64_t seed = 1) {
  std::vector<double> draws;
  for (std::uint32_t i = 0; i < count; ++i) draws.push_back(law.quantile(uniform({seed, 0, i, 0, 0})));
  return draws;
}

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

const std::vector<Law>& laws_of_times() {
  static const std::vector<Law> laws = {Law(ExponentialLaw{1e-3, 4e-3}), Law(LognormalLaw{-5.5, 0.3}),
                                        Law(ParetoLaw{5e-3, 4}), Law(UniformLaw{1e-3, 2e-3})};
  return laws;
}

}  // namespace

TEST_CASE("distribution: few samples are its points, each at the middle of its step", "[manynode]") {
  const BinnedDistribution few({3, 1, 2, 4});
  CHECK(few.points().size() == 4);
  CHECK(few.points()[0] == QuantilePoint{0.125, 1});
  CHECK(few.points()[3] == QuantilePoint{0.875, 4});
  CHECK(few.quantile(0.25) == 1.5);
  CHECK(few.quantile(0.01) == 1);
  CHECK(few.quantile(0.99) == 4);
  CHECK(few.mean() == 2.5);
  CHECK_FALSE(few.tail());
  CHECK(BinnedDistribution({7}).quantile(0.9) == 7);
}

TEST_CASE("distribution: 80 bins of equal probability, and 20 that reach the largest sample", "[manynode]") {
  std::vector<double> samples;
  for (int i = 0; i <= 10'000; ++i) samples.push_back(i);
  const BinnedDistribution binned(samples);
  REQUIRE(binned.points().size() == 101);
  CHECK(binned.points()[40].probability == Approx(0.4));
  CHECK(binned.points()[40].value == Approx(4000));
  CHECK(binned.points()[80].probability == Approx(0.8));
  CHECK(binned.points()[99].probability == Approx(1 - 1 / 10'001.0));
  CHECK(binned.points()[100] == QuantilePoint{1, 10'000});
}

TEST_CASE("distribution: equal samples have exactly their value as mean, no deviation and no tail", "[manynode]") {
  const BinnedDistribution constant(std::vector<double>(300, 0.00424722503));
  CHECK(constant.mean() == 0.00424722503);
  CHECK(constant.deviation() == 0);
  CHECK_FALSE(constant.tail());
  CHECK(constant.quantile(0.5) == 0.00424722503);
}

TEST_CASE("distribution: bins differ from their samples by at most 0.02", "[manynode]") {
  for (const Law& law : laws_of_times()) {
    for (const std::uint32_t n : {101u, 200u, 1000u, 10'000u}) {
      const std::vector<double> samples = sorted(draws_of(law, n));
      CHECK(distance_of(samples, BinnedDistribution(samples)) <= 0.02);
    }
  }
}

TEST_CASE("distribution: the distance from other samples is found", "[manynode]") {
  const BinnedDistribution binned(draws_of(Law(UniformLaw{0, 1}), 1000));
  std::vector<double> shifted = sorted(draws_of(Law(UniformLaw{0.3, 1.3}), 1000, 2));
  CHECK(distance_of(shifted, binned) == Approx(0.3).margin(0.06));
}

TEST_CASE("distribution: with the fitted tail, the greatest of many ranks has its mean", "[manynode]") {
  // The bounds are three standard deviations of the error over sample sets (docs/many-node.md).
  const auto error = [](const Law& law, double ranks) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      sum += BinnedDistribution(draws_of(law, 10'000, seed)).mean_of_greatest(ranks);
    }
    return sum / 8 / moments_of_greatest(law, ranks).mean - 1;
  };
  CHECK(std::abs(error(laws_of_times()[0], 64)) < 0.01);
  CHECK(std::abs(error(laws_of_times()[0], 4096)) < 0.05);
  CHECK(std::abs(error(laws_of_times()[1], 1024)) < 0.04);
  CHECK(std::abs(error(laws_of_times()[2], 1024)) < 0.11);
}

TEST_CASE("distribution: measured draws stay within the samples, others do not", "[manynode]") {
  const BinnedDistribution binned(draws_of(laws_of_times()[2], 1000));
  const double far = 1 - 1e-6;
  CHECK(binned.quantile(far, TailUse::measured) <= binned.greatest());
  CHECK(binned.quantile(far, TailUse::fitted) > binned.greatest());
  CHECK(binned.quantile(far, TailUse::beyond_samples) == binned.quantile(far, TailUse::fitted));
  CHECK(binned.quantile(0.95, TailUse::beyond_samples) == binned.quantile(0.95, TailUse::measured));
}

TEST_CASE("distribution: a Pareto tail has its shape, that of a uniform law has an end", "[manynode]") {
  const auto tail = fit_tail(sorted(draws_of(Law(ParetoLaw{1, 4}), 50'000)));
  REQUIRE(tail);
  CHECK(tail->shape == Approx(0.25).margin(0.06));
  const auto uniform_tail = fit_tail(sorted(draws_of(Law(UniformLaw{0, 1}), 50'000)));
  REQUIRE(uniform_tail);
  CHECK(uniform_tail->shape == -0.5);  // -1, which is not believed
  CHECK_FALSE(fit_tail(sorted(draws_of(Law(UniformLaw{0, 1}), 49))));
}

TEST_CASE("distribution: resampled tails spread around the fitted one", "[manynode]") {
  const std::vector<double> samples = sorted(draws_of(Law(ExponentialLaw{1, 0}), 2000));
  const auto tails = resampled_tails(samples, 100, 1);
  REQUIRE(tails.size() == 100);
  double mean = 0;
  for (const ParetoTail& each : tails) mean += each.shape / 100;
  CHECK(mean == Approx(fit_tail(samples)->shape).margin(0.05));
  CHECK(tails == resampled_tails(samples, 100, 1));
}

TEST_CASE("distribution: samples of one law are the same, those of two are not", "[manynode]") {
  const auto some = draws_of(Law(NormalLaw{10, 1}), 500, 1);
  CHECK(probability_of_same(some, draws_of(Law(NormalLaw{10, 1}), 500, 2)) > 0.001);
  CHECK(probability_of_same(some, draws_of(Law(NormalLaw{10.5, 1}), 500, 2)) < 0.001);
  CHECK(probability_of_same({1, 1, 1}, {1, 1}) == 1);
}

TEST_CASE("distribution: points of a profile are checked", "[manynode]") {
  const auto fault = [](std::vector<QuantilePoint> points, std::optional<ParetoTail> tail = {}) {
    const auto made = BinnedDistribution::from_points(std::move(points), tail, 10, 1, 0);
    return made ? "" : made.error().text;
  };
  CHECK(fault({{0, 1}, {1, 2}}).empty());
  CHECK(fault({}) == "quantiles: expected at least one pair of probability and value");
  CHECK(fault({{0, 1}, {1.5, 2}}) == "quantile 1: probability 1.5, expected 0 to 1");
  CHECK(fault({{0, 1}, {0.5, 0.5}}) ==
        "quantile 1: (0.5, 0.5) behind (0, 1), expected rising probabilities and values that do not fall");
  CHECK(fault({{0, 1}, {1, 2}}, ParetoTail{1, 0.1, -1, 0.1}).starts_with("tail: from 1, shape 0.1, scale -1"));
}

}  // namespace rehearse::manynode
