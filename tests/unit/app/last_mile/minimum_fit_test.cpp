// SPDX-License-Identifier: MIT
//
// Fits of minima against brute force.
#include "app/last_mile/minimum_fit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "simcore/support/random.hpp"

namespace rehearse::app {
namespace {

// Some terms between `ups` and `downs` variables, with values that are minima plus noise, or few different ones.
std::vector<MinimumTerm> random_terms(SplitMix& random, std::uint32_t ups, std::uint32_t downs, bool has_few_values) {
  std::vector<double> x;
  for (std::uint32_t v = 0; v < ups + downs; ++v) x.push_back(3 * random.uniform());
  std::vector<MinimumTerm> terms;
  for (std::uint32_t a = 0; a < ups; ++a)
    for (std::uint32_t b = ups; b < ups + downs; ++b) {
      if (random.uniform() < 0.25) continue;
      const double noise = random.uniform() < 0.15 ? 4 * random.uniform() - 2 : 0.4 * random.uniform() - 0.2;
      const double value = std::min(x[a], x[b]) + noise;
      terms.push_back({a, b, has_few_values ? std::floor(3 * random.uniform()) : value});
    }
  return terms;
}

// The least sum of errors. Some best solution has only measured values, because the sum is piecewise linear: a group of
// equal variables can move until one of them reaches a value, and the sum does not rise in one of both directions. The
// best value of a variable on the other side depends on no other one of its side.
double brute_force(const std::vector<MinimumTerm>& terms, std::uint32_t ups, std::uint32_t downs) {
  std::vector<double> values;
  for (const MinimumTerm& term : terms) values.push_back(term.value);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  values.push_back(1e9);  // never the minimum
  double best = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> digits(ups, 0);
  for (bool is_done = false; !is_done;) {
    double sum = 0;
    for (std::uint32_t b = ups; b < ups + downs && sum < best; ++b) {
      double least = std::numeric_limits<double>::infinity();
      for (const double value : values) {
        double part = 0;
        for (const MinimumTerm& term : terms)
          if (term.b == b) part += std::abs(std::min(values[digits[term.a]], value) - term.value);
        least = std::min(least, part);
      }
      sum += least;
    }
    best = std::min(best, sum);
    is_done = true;
    for (std::size_t& digit : digits) {
      if (++digit < values.size()) {
        is_done = false;
        break;
      }
      digit = 0;
    }
  }
  return best;
}

double greatest_error(const std::vector<MinimumTerm>& terms, const std::vector<double>& x) {
  double greatest = 0;
  for (const MinimumTerm& term : terms)
    greatest = std::max(greatest, std::abs(std::min(x[term.a], x[term.b]) - term.value));
  return greatest;
}

}  // namespace

TEST_CASE("minimum fit: the sum of errors is the least one that brute force finds") {
  SplitMix random(7);
  int cases = 0, exact = 0;
  double excess = 0;
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t ups = 2 + round % 2, downs = 2 + (round / 2) % 4;
    const std::vector<MinimumTerm> terms = random_terms(random, ups, downs, round % 3 == 0);
    if (terms.empty()) continue;
    const MinimumFit fit(terms, ups + downs, 100);
    const double best = brute_force(terms, ups, downs);
    CAPTURE(round, ups, downs, terms.size(), best, fit.sum_of_errors());
    CHECK(fit.sum_of_errors() > best - 1e-6);
    ++cases;
    exact += fit.sum_of_errors() < best + 1e-6;
    excess = std::max(excess, fit.sum_of_errors() - best);
  }
  CAPTURE(cases, exact, excess);
  CHECK(cases > 250);
  CHECK(exact == cases);
}

TEST_CASE(
    "minimum fit: the sum is also the least one if both ends of a term are of one kind, as with symmetric links") {
  SplitMix random(13);
  int cases = 0;
  for (int round = 0; round < 150; ++round) {
    constexpr std::uint32_t variables = 4;
    std::vector<MinimumTerm> terms;
    for (std::uint32_t a = 0; a < variables; ++a)
      for (std::uint32_t b = 0; b < variables; ++b)
        if (a != b && random.uniform() < 0.6) terms.push_back({a, b, std::floor((2 + round % 9) * random.uniform())});
    if (terms.empty()) continue;
    double best = std::numeric_limits<double>::infinity();
    for (int code = 0; code < 12 * 12 * 12 * 12; ++code) {
      const int x[variables] = {code % 12, code / 12 % 12, code / 144 % 12, code / 1728};
      double sum = 0;
      for (const MinimumTerm& term : terms) sum += std::abs(std::min(x[term.a], x[term.b]) - term.value);
      best = std::min(best, sum);
    }
    CAPTURE(round, terms.size());
    CHECK(MinimumFit(terms, variables, 100).sum_of_errors() == Approx(best).margin(1e-6));
    ++cases;
  }
  CHECK(cases > 140);
}

TEST_CASE("minimum fit: the bound of the greatest error is reached, and no solution is below it") {
  SplitMix random(11);
  for (int round = 0; round < 200; ++round) {
    const std::vector<MinimumTerm> terms = random_terms(random, 3, 3, false);
    if (terms.empty()) continue;
    const MinimumFit fit(terms, 6, 2);
    const double bound = fit.least_greatest_error();
    std::vector<double> x(6, -1e9);
    for (const MinimumTerm& term : terms)
      for (const std::uint32_t v : {term.a, term.b}) x[v] = std::max(x[v], term.value - bound);
    CHECK(greatest_error(terms, x) == Approx(bound).margin(1e-9));
    for (int attempt = 0; attempt < 2000; ++attempt) {
      for (double& value : x) value = 7 * random.uniform() - 3;
      CHECK(greatest_error(terms, x) >= bound - 1e-9);
    }
    CHECK(greatest_error(terms, fit.values()) >= bound - 1e-9);
  }
}

TEST_CASE("minimum fit: a variable that limits nothing has no upper end") {
  // min(x0, x2) = 1, min(x1, x2) = 2: x0 is 1, x1 or x2 is 2.
  MinimumFit fit({{0, 2, 1.0}, {1, 2, 2.0}}, 3, 10);
  CHECK(fit.sum_of_errors() == Approx(0).margin(1e-9));
  CHECK(fit.values()[0] == Approx(1));
  CHECK(fit.profile(0).rise == Approx(1));
  CHECK(fit.profile(1).rise == Approx(0).margin(1e-9));
  CHECK(std::isinf(fit.profile(1).to));
  fit.raise(1);
  CHECK(fit.values()[1] == Approx(2));
}

TEST_CASE("minimum fit: the profile of a variable is the sum of errors less that of other terms") {
  SplitMix random(3);
  for (int round = 0; round < 100; ++round) {
    const std::vector<MinimumTerm> terms = random_terms(random, 3, 4, round % 2 == 0);
    MinimumFit fit(terms, 7, 0);
    const double now = fit.sum_of_errors();
    for (std::uint32_t v = 0; v < 7; ++v) {
      if (!fit.has_terms(v)) continue;
      double least = std::numeric_limits<double>::infinity(), above = 0;
      for (double at = -6; at < 8; at += 0.01) {
        std::vector<double> x = fit.values();
        x[v] = at;
        double sum = 0;
        for (const MinimumTerm& term : terms) sum += std::abs(std::min(x[term.a], x[term.b]) - term.value);
        least = std::min(least, sum);
        above = sum;
      }
      const StepProfile profile = fit.profile(v);
      CHECK(now - profile.gain <= least + 1e-6);
      CHECK(now - profile.gain >= least - 0.01 * static_cast<double>(terms.size()));
      CHECK(profile.rise == Approx(above - now).margin(1e-6));
    }
  }
}

}  // namespace rehearse::app
