// SPDX-License-Identifier: MIT
//
// Attributes of generated platforms: moments, truncation, real lists, texts.
#include "simcore/attribute_distribution.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "tests/support/temporary_file.hpp"

using namespace rehearse;
using Law = AttributeDistribution;

namespace {

constexpr AttributeBounds positive{0, 1e30, true, false};
constexpr AttributeBounds counts{1, 1000, false, true};
constexpr int draws = 40'000;

std::vector<double> sample(const Law& law, const AttributeBounds& bounds) {
  SplitMix random(11);
  std::vector<double> values;
  for (int i = 0; i < draws; ++i) values.push_back(law.draw(random, bounds).value());
  return values;
}

struct SampleMoments {
  double mean = 0, deviation = 0;
};

SampleMoments moments_of(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value, squares += value * value;
  const double mean = sum / draws;
  return {mean, std::sqrt(squares / draws - mean * mean)};
}

Law parsed(const std::string& text) {
  auto law = parse_speed_distribution(text);
  if (!law) FAIL(law.error().text);
  return law.value();
}

std::string fault_of(const std::string& text, const AttributeBounds& bounds = positive) {
  const auto law = bounds.is_whole ? parse_count_distribution(text) : parse_speed_distribution(text);
  if (!law) return law.error().text;
  const auto fault = law.value().fault(bounds);
  return fault ? fault->text : "none";
}

}  // namespace

// The tolerances are five standard deviations of the mean of 40,000 draws, or more.
TEST_CASE("attribute distribution: draws have the moments of their laws", "[simcore][platform]") {
  const SampleMoments uniform = moments_of(sample(parsed("1Gf..3Gf"), positive));
  CHECK(uniform.mean == Approx(2e9).epsilon(0.01));
  CHECK(uniform.deviation == Approx(2e9 / std::sqrt(12.0)).epsilon(0.02));
  const SampleMoments normal = moments_of(sample(parsed("normal(5Gf,1Gf)"), positive));
  CHECK(normal.mean == Approx(5e9).epsilon(0.01));
  CHECK(normal.deviation == Approx(1e9).epsilon(0.02));
  const SampleMoments exponential = moments_of(sample(parsed("exponential(2Gf)"), positive));
  CHECK(exponential.mean == Approx(2e9).epsilon(0.03));
  CHECK(exponential.deviation == Approx(2e9).epsilon(0.05));
  std::vector<double> lognormal = sample(parsed("lognormal(2Gf,0.5)"), positive);
  CHECK(moments_of(lognormal).mean == Approx(2e9 * std::exp(0.125)).epsilon(0.02));
  std::ranges::nth_element(lognormal, lognormal.begin() + draws / 2);
  CHECK(lognormal[draws / 2] == Approx(2e9).epsilon(0.02));
  const std::vector<double> pareto = sample(parsed("pareto(1Gf,3)"), positive);
  CHECK(moments_of(pareto).mean == Approx(1.5e9).epsilon(0.03));
  CHECK(std::ranges::min(pareto) >= 1e9);
  CHECK(std::ranges::count_if(pareto, [](double value) { return value > 2e9; }) == Approx(draws / 8.0).epsilon(0.08));
}

TEST_CASE("attribute distribution: a draw out of bounds is drawn again", "[simcore][platform]") {
  const std::vector<double> values = sample(parsed("normal(1Gf,4Gf)"), positive);
  CHECK(std::ranges::min(values) > 0);
  // The mean of the truncated law: mean + deviation * density(-1/4) / probability(> -1/4).
  CHECK(moments_of(values).mean == Approx(1e9 + 4e9 * 0.38666812 / 0.59870633).epsilon(0.02));
  const auto cores = parse_count_distribution("exponential(2.5)").value();
  for (const double value : sample(cores, counts)) {
    REQUIRE(value >= 1);
    REQUIRE(value == std::floor(value));
  }
  SplitMix random(1);
  CHECK_FALSE(Law(Law::Pareto{1e29, 0.1}).draw(random, {0, 1, false, false}));
}

TEST_CASE("attribute distribution: choices come with the frequency of their weights", "[simcore][platform]") {
  std::map<double, int> seen;
  for (const double value : sample(parse_count_distribution("choice(4:3, 8, 64:0.5)").value(), counts)) ++seen[value];
  REQUIRE(seen.size() == 3);
  CHECK(seen[4] == Approx(draws * 3 / 4.5).epsilon(0.03));
  CHECK(seen[8] == Approx(draws * 1 / 4.5).epsilon(0.05));
  CHECK(seen[64] == Approx(draws * 0.5 / 4.5).epsilon(0.08));
}

TEST_CASE("attribute distribution: real values come from a file", "[simcore][platform]") {
  const rehearse::testing::TemporaryFile file("# speeds\n2Gf\n  1Gf 3   # three of four\n\n");
  std::map<double, int> seen;
  for (const double value : sample(parsed("file:" + file.path()), positive)) ++seen[value];
  REQUIRE(seen.size() == 2);
  CHECK(seen[1e9] == Approx(draws * 0.75).epsilon(0.02));
  const rehearse::testing::TemporaryFile wrong("1Gf\nfast\n"), weight("1Gf 0\n"), empty("# nothing\n");
  CHECK_THAT(fault_of("file:" + wrong.path()), Catch::StartsWith(wrong.path() + ":2: speed 'fast'"));
  CHECK_THAT(fault_of("file:" + weight.path()), Catch::Contains(":1: weight '0'"));
  CHECK_THAT(fault_of("file:" + empty.path()), Catch::Contains("no quantity"));
  CHECK_THAT(fault_of("file:/no/such/file"), Catch::Contains("cannot read"));
}

TEST_CASE("attribute distribution: wrong texts are refused with the accepted ones", "[simcore][platform]") {
  using Catch::Contains;
  CHECK_THAT(fault_of("weibull(1Gf,2)"), Contains("'weibull(1Gf,2)' is not a distribution") && Contains("pareto"));
  CHECK_THAT(fault_of("normal(1Gf)"), Contains("two parameters"));
  CHECK_THAT(fault_of("normal(1Gf,2Gf"), Contains("no )"));
  CHECK_THAT(fault_of("normal(1Gf,fast)"), Contains("'fast'"));
  CHECK_THAT(fault_of("exponential(0Gf)"), Contains("mean 0 given; accepted: greater than 0"));
  CHECK_THAT(fault_of("lognormal(1Gf,11)"), Contains("sigma 11 given; accepted: 0 to 10"));
  CHECK_THAT(fault_of("pareto(1Gf,0.01)"), Contains("alpha 0.01"));
  CHECK_THAT(fault_of("choice(1Gf:)"), Contains("empty weight"));
  CHECK_THAT(fault_of("choice(1Gf:-1)"), Contains("weight '-1'"));
  CHECK_THAT(fault_of("0..2", counts), Contains("value 0 given; accepted: whole numbers from 1 to 1000"));
  CHECK_THAT(fault_of("choice(1,2000)", counts), Contains("value 2000"));
  CHECK_THAT(fault_of("exponential(0.5)", counts), Contains("mean 0.5"));
  CHECK(fault_of("normal(8.5,3)", counts) == "none");
}
