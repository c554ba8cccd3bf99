// SPDX-License-Identifier: MIT
//
// Laws of computation times: quantiles, means and the greatest of many draws against closed forms.
#include <catch2/catch.hpp>
#include <cmath>

#include "manynode/law.hpp"
#include "manynode/random.hpp"
#include "simcore/support/portable_math.hpp"

namespace rehearse::manynode {
namespace {

Law law_named(std::string_view name, const std::map<std::string, double>& parameters) {
  auto law = Law::named(name, parameters);
  INFO((law ? "" : law.error().text));
  REQUIRE(law);
  return law.value();
}

double normal_probability(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

std::string fault_of(std::string_view name, const std::map<std::string, double>& parameters) {
  const auto law = Law::named(name, parameters);
  return law ? "" : law.error().text;
}

}  // namespace

TEST_CASE("law: the normal quantile inverts the distribution function", "[manynode]") {
  for (const double u : {1e-300, 1e-20, 1e-9, 1e-4, 0.01, 0.07, 0.08, 0.3, 0.5, 0.7, 0.93, 0.99, 1 - 1e-9}) {
    CHECK(normal_probability(portable_normal_quantile(u)) == Approx(u).epsilon(1e-12).margin(0));
  }
  CHECK(portable_normal_quantile(0.975) == Approx(1.959963984540054).epsilon(1e-15));
  CHECK(portable_normal_quantile(0.5) == 0);
}

TEST_CASE("law: quantiles and means are those of the formulas", "[manynode]") {
  CHECK(law_named("constant", {{"value", 2e-3}}).quantile(0.3) == 2e-3);
  CHECK(law_named("uniform", {{"low", 1}, {"high", 3}}).quantile(0.25) == 1.5);
  CHECK(law_named("uniform", {{"low", 1}, {"high", 3}}).mean() == 2);
  const Law exponential = law_named("exponential", {{"mean", 2}, {"shift", 1}});
  CHECK(exponential.quantile(0.5) == Approx(1 + 2 * std::log(2.0)));
  CHECK(exponential.mean() == 3);
  CHECK(law_named("exponential", {{"mean", 2}}).mean() == 2);
  const Law lognormal = law_named("lognormal", {{"mu", -6}, {"sigma", 0.3}});
  CHECK(lognormal.quantile(0.5) == Approx(std::exp(-6)));
  CHECK(lognormal.mean() == Approx(std::exp(-6 + 0.045)));
  const Law pareto = law_named("pareto", {{"least", 5}, {"alpha", 4}});
  CHECK(pareto.quantile(1 - 1.0 / 16) == Approx(10));
  CHECK(pareto.mean() == Approx(20.0 / 3));
}

TEST_CASE("law: the greatest of many draws has its closed form", "[manynode]") {
  for (const double n : {1.0, 16.0, 256.0, 4096.0, 65536.0}) {
    double harmonic = 0, squares = 0;
    for (double k = 1; k <= n; ++k) {
      harmonic += 1 / k;
      squares += 1 / (k * k);
    }
    const GreatestMoments exponential = moments_of_greatest(law_named("exponential", {{"mean", 1}, {"shift", 4}}), n);
    CHECK(exponential.mean == Approx(4 + harmonic).epsilon(2e-5));
    CHECK(exponential.variance == Approx(squares).epsilon(1e-3));
    CHECK(moments_of_greatest(law_named("uniform", {{"low", 1}, {"high", 3}}), n).mean ==
          Approx(1 + 2 * n / (n + 1)).epsilon(2e-5));
    const double a = 5;
    CHECK(moments_of_greatest(law_named("pareto", {{"least", 2}, {"alpha", a}}), n).mean ==
          Approx(2 * std::exp(std::lgamma(n + 1) + std::lgamma(1 - 1 / a) - std::lgamma(n + 1 - 1 / a))).epsilon(1e-4));
  }
}

TEST_CASE("law: draws follow the law within the distance of Kolmogorov and Smirnov", "[manynode]") {
  constexpr std::uint32_t count = 10'000;
  const Law law = law_named("lognormal", {{"mu", -6}, {"sigma", 0.3}});
  std::vector<double> draws;
  for (std::uint32_t i = 0; i < count; ++i) draws.push_back(law.quantile(uniform({3, 0, i, 1, 0})));
  std::sort(draws.begin(), draws.end());
  double distance = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double probability = normal_probability((std::log(draws[i]) + 6) / 0.3);
    distance = std::max({distance, probability - i / double{count}, (i + 1) / double{count} - probability});
  }
  CHECK(distance < 1.95 / std::sqrt(double{count}));  // p = 0.001
}

TEST_CASE("law: a fault names the law and the parameter", "[manynode]") {
  CHECK(fault_of("gamma", {}) ==
        "law 'gamma': expected constant, uniform, exponential, normal, lognormal, pareto or empirical");
  CHECK(fault_of("normal", {{"mean", 1}}) == "law normal: no parameter 'sd'");
  CHECK(fault_of("constant", {{"value", 1}, {"sd", 2}}) == "law constant: it has no parameter 'sd'");
  CHECK(fault_of("uniform", {{"low", 2}, {"high", 1}}) == "law uniform: expected 0 <= low <= high");
  CHECK(fault_of("pareto", {{"least", 2}, {"alpha", 1}}) ==
        "law pareto: expected least >= 0 and alpha > 1 (else there is no mean)");
  CHECK(fault_of("constant", {{"value", std::nan("")}}) == "law constant: value is nan, expected a number");
}

}  // namespace rehearse::manynode
