// SPDX-License-Identifier: MIT
//
// The estimators of the sampler over many seeds, on times of known distributions: bias, precision and independence.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "simcore/sampler.hpp"

namespace estimators_test {

using namespace rehearse;

namespace {

using Random = std::mt19937_64;

double normal(Random& random) { return std::normal_distribution<double>()(random); }

// Times with the mean 1. `state` is that of one series, 0 at its beginning.
struct Times {
  const char* name;
  std::function<double(Random& random, double& state)> next;
};

Times normal_times(const char* name, double deviation) {
  return {name, [=](Random& random, double&) { return std::max(0.01, 1 + deviation * normal(random)); }};
}

Times lognormal_times(const char* name, double sigma) {
  return {name, [=](Random& random, double&) { return std::exp(sigma * normal(random) - sigma * sigma / 2); }};
}

// Neighbours have this correlation.
Times correlated_times(const char* name, double correlation, double deviation) {
  return {name, [=](Random& random, double& state) {
            state = correlation * state + std::sqrt(1 - correlation * correlation) * normal(random);
            return std::max(0.01, 1 + deviation * state);
          }};
}

// A part of the executions takes `longer` times as long.
Times bimodal_times(const char* name, double part, double longer) {
  return {name, [=](Random& random, double&) {
            const double time = std::uniform_real_distribution<double>()(random) < part ? longer : 1;
            return time * (1 + 0.005 * normal(random)) / (1 + part * (longer - 1));
          }};
}

struct Estimates {
  double bias = 0, deviation = 0;  // of the mean of the measured executions, by the true mean
  double total_bias = 0;           // of the time of all executions
  double within = 0;               // part of the runs with an error of the mean of at most 2 %
  double worst = 0;                // error of the mean
  double executed = 0;             // on average
  std::uint64_t most_executed = 0;
};

Estimates estimate(const Times& times, SampleAs as, int runs, int executions) {
  Estimates all;
  double squares = 0;
  for (int run = 0; run < runs; ++run) {
    Random random(static_cast<std::uint64_t>(run) * 7919 + 13);
    double state = 0, total = 0;
    for (int i = 0; i < 100; ++i) times.next(random, state);
    Sampler sampler(as, {}, static_cast<std::uint64_t>(run) + 1);
    SampleClass& of = sampler.find(0, "code", {}, {});
    for (int i = 0; i < executions; ++i) {
      const std::uint32_t actor = static_cast<std::uint32_t>(i) % 4;
      const Sampler::Decision decision = sampler.next(of, actor);
      const double took = decision.runs ? times.next(random, state) : decision.seconds;
      total += decision.runs ? sampler.took(of, actor, took, decision.is_cold) : took;
    }
    const double error = of.times().warm.mean() - 1;
    all.bias += error / runs;
    squares += error * error / runs;
    all.total_bias += (total / executions - 1) / runs;
    all.within += std::fabs(error) <= 0.02 ? 1.0 / runs : 0;
    all.worst = std::max(all.worst, std::fabs(error));
    all.executed += static_cast<double>(of.executed()) / runs;
    all.most_executed = std::max(all.most_executed, of.executed());
  }
  all.deviation = std::sqrt(squares - all.bias * all.bias);
  return all;
}

}  // namespace

// The early stop depends on the times, so a mean could be biased by it. A stop after 5 executions is: a hundredth, and
// a tenth and more where there are two modes.
TEST_CASE("sampler: means are unbiased, and as precise as the rule says", "[simcore]") {
  constexpr int runs = 500;
  const std::vector<Times> kinds = {normal_times("normal, 1 %", 0.01),
                                    normal_times("normal, 5 %", 0.05),
                                    normal_times("normal, 10 %", 0.1),
                                    lognormal_times("lognormal, 0.1", 0.1),
                                    correlated_times("correlated, 0.15", 0.15, 0.1),
                                    correlated_times("correlated, 0.4", 0.4, 0.1)};
  for (const SampleAs as : {SampleAs::mean, SampleAs::draw})
    for (const Times& times : kinds) {
      const Estimates found = estimate(times, as, runs, 1500);
      INFO(times.name << ", as " << (as == SampleAs::mean ? "mean" : "draw"));
      const double error_of_bias = 4 * found.deviation / std::sqrt(runs);
      CHECK(std::fabs(found.bias) <= error_of_bias + 5e-4);
      CHECK(std::fabs(found.total_bias) <= error_of_bias + 1e-3);
      CHECK(found.within >= 0.92);  // 95 %, and three standard deviations of 500 runs
    }
}

TEST_CASE("sampler: regular code runs at most 50 times", "[simcore]") {
  const Estimates found = estimate(normal_times("normal, 2 %", 0.02), SampleAs::draw, 300, 500);
  CHECK(found.most_executed <= 50);
  CHECK(found.worst <= 0.02);
}

TEST_CASE("sampler: no run takes one of two modes for all", "[simcore]") {
  const Estimates half = estimate(bimodal_times("half of them", 0.5, 4), SampleAs::draw, 300, 1500);
  CHECK(half.worst <= 0.1);
  CHECK(std::fabs(half.bias) <= 4 * half.deviation / std::sqrt(300));
  const Estimates tenth = estimate(bimodal_times("a tenth of them", 0.1, 3), SampleAs::draw, 300, 1500);
  CHECK(std::fabs(tenth.bias) <= 0.012);  // a class of 29 misses the mode, and is a sixth too fast
}

// Draws of one actor one after the other, and of neighbours at one number.
TEST_CASE("sampler: draws are uniform, and do not depend on each other", "[simcore]") {
  constexpr std::uint32_t actors = 64, numbers = 1000, values = 8;
  SampledTimes times;
  times.warm = EmpiricalDistribution({0, 1, 2, 3, 4, 5, 6, 7});
  Sampler sampler;
  sampler.know({"f"}, times);
  SampleClass& of = sampler.find(0, "f", {}, {});
  std::vector<std::vector<double>> drawn(actors);
  std::vector<double> counts(values);
  for (std::uint32_t number = 0; number < numbers; ++number)
    for (std::uint32_t actor = 0; actor < actors; ++actor) {
      const double value = sampler.next(of, actor).seconds;
      drawn[actor].push_back(value);
      ++counts[static_cast<std::size_t>(value)];
    }
  constexpr double all = double{actors} * numbers, expected = all / values;
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - expected) * (count - expected) / expected;
  CHECK(chi_square < 24.3);  // 7 degrees of freedom, 0.999
  constexpr double centre = (values - 1) / 2.0, variance = (values * values - 1) / 12.0;
  const auto correlation = [&](std::uint32_t actors_apart, std::uint32_t numbers_apart) {
    double sum = 0;
    for (std::uint32_t actor = 0; actor < actors; ++actor)
      for (std::uint32_t number = 0; number < numbers; ++number)
        sum += (drawn[actor][number] - centre) *
               (drawn[(actor + actors_apart) % actors][(number + numbers_apart) % numbers] - centre);
    return sum / all / variance;
  };
  for (const std::uint32_t apart : {1u, 2u, 7u}) {
    CHECK(std::fabs(correlation(apart, 0)) < 4 / std::sqrt(all));
    CHECK(std::fabs(correlation(0, apart)) < 4 / std::sqrt(all));
    CHECK(std::fabs(correlation(apart, apart)) < 4 / std::sqrt(all));
  }
}

}  // namespace estimators_test
