// SPDX-License-Identifier: MIT
//
// Comparisons of repeated runs: tests against published values, brute force and repeated experiments.
#include "app/time_comparison.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "simcore/support/random.hpp"

namespace rehearse::app {
namespace {

double normal_draw(SplitMix& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

double mean_of_those(const std::vector<double>& values, std::uint32_t set, bool inside) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (((set >> i & 1) != 0) == inside) sum += values[i], ++count;
  return sum / count;
}

// Looks at every set of values.
double brute_force(const std::vector<double>& one, const std::vector<double>& other) {
  std::vector<double> all = one;
  all.insert(all.end(), other.begin(), other.end());
  const double observed = std::abs(mean_of(one) - mean_of(other));
  int extreme = 0, ways = 0;
  for (std::uint32_t set = 0; set < 1u << all.size(); ++set) {
    if (std::popcount(set) != static_cast<int>(one.size())) continue;
    const double difference = std::abs(mean_of_those(all, set, true) - mean_of_those(all, set, false));
    extreme += difference >= observed - 1e-9 ? 1 : 0;
    ++ways;
  }
  return static_cast<double>(extreme) / ways;
}

double log_choices(double all, double some) {
  return std::lgamma(all + 1) - std::lgamma(some + 1) - std::lgamma(all - some + 1);
}

}  // namespace

// The heights of C. Darwin's 15 pairs of maize plants, in eighths of an inch: R. Fisher, The design of experiments,
// section 21, counts 863 of 32,768 ways on each side.
TEST_CASE("time comparison: the test of pairs is Fisher's", "[cli]") {
  const std::vector<double> differences = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
  const ChanceProbability chance = sign_probability(differences);
  CHECK(chance.is_exact);
  CHECK(chance.p == Approx(2 * 863 / 32768.0).epsilon(1e-12));
  CHECK(chance.least == Approx(2 / 32768.0));
}

TEST_CASE("time comparison: more ways than can be counted are drawn", "[cli]") {
  std::vector<double> differences(24, 1.0);
  for (std::size_t i = 0; i < 8; ++i) differences[i] = -1;
  const ChanceProbability chance = sign_probability(differences);  // binomial: twice 1,271,626 of 2^24
  CHECK_FALSE(chance.is_exact);
  CHECK(chance.p == Approx(2 * 1271626.0 / 16777216).margin(0.005));
  CHECK(sign_probability(std::vector<double>(40, 1.0)).p == Approx(1 / 100'001.0));
}

TEST_CASE("time comparison: the test of groups counts all ways", "[cli]") {
  CHECK(group_probability(std::vector<double>{1, 2, 3}, std::vector<double>{4, 5, 6}).p == Approx(0.1));
  CHECK(group_probability(std::vector<double>{1, 2, 3}, std::vector<double>{4, 5, 6}).least == Approx(0.1));
  CHECK(group_probability(std::vector<double>{1, 1}, std::vector<double>{1, 1, 1}).p == 1);
  SplitMix random(3);
  for (const auto& [one, other] : {std::pair{5, 4}, {3, 7}, {6, 6}, {2, 2}}) {
    std::vector<double> first, second;
    for (int i = 0; i < one; ++i) first.push_back(std::floor(random.uniform() * 10) / 7);  // with ties
    for (int i = 0; i < other; ++i) second.push_back(std::floor(random.uniform() * 14) / 7);
    const ChanceProbability chance = group_probability(first, second);
    CHECK(chance.is_exact);
    CHECK(chance.p == Approx(brute_force(first, second)));
    CHECK(group_probability(second, first).p == Approx(chance.p));
  }
}

TEST_CASE("time comparison: drawn groups agree with the hypergeometric distribution", "[cli]") {
  std::vector<double> one(15, 0.0), other(15, 0.0);
  std::fill_n(one.begin(), 10, 1.0);
  std::fill_n(other.begin(), 4, 1.0);
  double tail = 0;
  for (int ones = 10; ones <= 14; ++ones)
    tail += std::exp(log_choices(14, ones) + log_choices(16, 15 - ones) - log_choices(30, 15));
  const ChanceProbability chance = group_probability(one, other);
  CHECK_FALSE(chance.is_exact);
  CHECK(chance.p == Approx(2 * tail).margin(0.003));
}

TEST_CASE("time comparison: equal seeds are pairs", "[cli]") {
  const SeededTimes first{{1, 2, 3, 4, 5, 6}, {10, 20, 30, 40, 50, 60}};
  const SeededTimes second{{6, 5, 4, 3, 2, 1}, {59, 49, 39, 29, 19, 9}};
  const TimeComparison paired = compare_times(first, second);
  CHECK(paired.pairs == 6);
  CHECK(paired.verdict == TimeVerdict::second_faster);
  CHECK(paired.second_faster_part == 1);
  CHECK(paired.by_chance->p == Approx(2 / 64.0));
  CHECK(paired.ratio == Approx(204 / 210.0));
  const TimeComparison apart = compare_times({{}, first.seconds}, {{}, second.seconds});
  CHECK(apart.pairs == 0);
  CHECK(apart.verdict == TimeVerdict::no_difference);
  REQUIRE(apart.of_ratio);
  CHECK(apart.of_ratio->low < paired.of_ratio->low);
  CHECK(apart.of_ratio->high > 1);
  const TimeComparison longer = compare_times(first, {{6, 5, 4, 3, 2, 1, 7}, {59, 49, 39, 29, 19, 9, 1}});
  CHECK(longer.pairs == 6);
  CHECK(longer.second.runs == 6);
  CHECK(compare_times(first, {{6, 5, 4, 3, 2, 8}, second.seconds}).pairs == 0);
}

TEST_CASE("time comparison: times that do not vary need no test", "[cli]") {
  const SeededTimes slow{{1, 2}, {2, 2}}, fast{{1, 2}, {1, 1}};
  CHECK(compare_times(slow, fast).verdict == TimeVerdict::second_faster);
  CHECK(compare_times(fast, slow).verdict == TimeVerdict::first_faster);
  CHECK(compare_times(fast, fast).verdict == TimeVerdict::equal);
  CHECK_FALSE(compare_times(slow, fast).by_chance);
  CHECK_FALSE(compare_times(slow, fast).of_ratio);
  const TimeComparison alone = compare_times({{}, {2}}, {{}, {1}});
  CHECK(alone.verdict == TimeVerdict::untested);
  CHECK(alone.ratio == 0.5);
  CHECK(std::isinf(compare_times({{}, {0}}, {{}, {1}}).ratio));
}

// Under the null hypothesis at most 5 % of the comparisons find a difference, and the intervals contain the ratio.
TEST_CASE("time comparison: errors are as frequent as stated", "[cli]") {
  SplitMix random(11);
  const int experiments = 600;
  for (const bool is_paired : {true, false}) {
    int found = 0, contained = 0;
    for (int i = 0; i < experiments; ++i) {
      SeededTimes first, second;
      for (std::uint64_t run = 0; run < 8; ++run) {
        first.seeds.push_back(run);
        second.seeds.push_back(is_paired ? run : run + 100);
        const double common = is_paired ? 0.3 * normal_draw(random) : 0;
        first.seconds.push_back(10 + common + 0.5 * normal_draw(random));
        second.seconds.push_back(10 + common + 0.5 * normal_draw(random));
      }
      const TimeComparison comparison = compare_times(first, second);
      found += comparison.verdict != TimeVerdict::no_difference ? 1 : 0;
      contained += comparison.of_ratio->low <= 1 && comparison.of_ratio->high >= 1 ? 1 : 0;
    }
    CHECK(found < 0.08 * experiments);      // 5 %, and 3.4 standard deviations
    CHECK(contained > 0.92 * experiments);  // 95 %, likewise
    CHECK(found > 0.01 * experiments);
  }
}

}  // namespace rehearse::app
