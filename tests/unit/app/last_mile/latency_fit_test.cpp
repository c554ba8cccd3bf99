// SPDX-License-Identifier: MIT
//
// Fits of sums of latencies against the solution of the normal equations for every set of hosts without latency.
#include "app/last_mile/latency_fit.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "app/last_mile/sides.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::app {
namespace {

double sum_of_squares(const std::vector<SumTerm>& terms, const std::vector<double>& x) {
  double sum = 0;
  for (const SumTerm& term : terms) sum += term.weight * std::pow(x[term.a] + x[term.b] - term.value, 2);
  return sum;
}

// Gauss elimination with pivots; nothing if the matrix is singular.
std::optional<std::vector<double>> solve(std::vector<std::vector<double>> rows) {
  const std::size_t n = rows.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t k = i; k < n; ++k)
      if (std::abs(rows[k][i]) > std::abs(rows[pivot][i])) pivot = k;
    std::swap(rows[i], rows[pivot]);
    if (std::abs(rows[i][i]) < 1e-9) return std::nullopt;
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const double factor = rows[k][i] / rows[i][i];
      for (std::size_t j = i; j <= n; ++j) rows[k][j] -= factor * rows[i][j];
    }
  }
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(rows[i][n] / rows[i][i]);
  return x;
}

// The least sum over all sets of positive variables whose normal equations have a solution that is not negative.
double by_all_sets(const std::vector<SumTerm>& terms, std::uint32_t variables) {
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t set = 0; set < 1u << variables; ++set) {
    std::vector<std::size_t> place(variables, 0);
    std::size_t n = 0;
    for (std::uint32_t v = 0; v < variables; ++v)
      if (set >> v & 1) place[v] = n++;
    std::vector<std::vector<double>> rows(n, std::vector<double>(n + 1, 0));
    for (const SumTerm& term : terms)
      for (const auto& [v, other] : {std::pair(term.a, term.b), {term.b, term.a}}) {
        if (!(set >> v & 1)) continue;
        rows[place[v]][place[v]] += term.weight;
        if (set >> other & 1) rows[place[v]][place[other]] += term.weight;
        rows[place[v]][n] += term.weight * term.value;
      }
    const auto solution = solve(rows);
    if (!solution) continue;
    std::vector<double> x(variables, 0);
    bool is_valid = true;
    for (std::uint32_t v = 0; v < variables; ++v) {
      if (set >> v & 1) x[v] = (*solution)[place[v]];
      is_valid = is_valid && x[v] >= 0;
    }
    if (is_valid) best = std::min(best, sum_of_squares(terms, x));
  }
  return best;
}

}  // namespace

TEST_CASE("latency fit: the sum of squares is the least one of all sets of positive variables") {
  SplitMix random(5);
  int bounded = 0;
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t variables = 3 + round % 5;
    std::vector<SumTerm> terms;
    for (std::uint32_t a = 0; a < variables; ++a)
      for (std::uint32_t b = a + 1; b < variables; ++b)
        if (random.uniform() < 0.7) terms.push_back({a, b, 0.1 + random.uniform(), 0.5 + random.uniform()});
    if (terms.empty()) continue;
    const std::vector<double> x = least_squares_of_sums(terms, std::vector<double>(variables, 0.3));
    const double best = by_all_sets(terms, variables);
    for (const double value : x) {
      CHECK(value >= 0);
      bounded += value == 0;
    }
    CHECK(sum_of_squares(terms, x) == Approx(best).margin(1e-9));
  }
  CHECK(bounded > 50);  // the bound mattered
}

TEST_CASE("latency fit: sums that do not determine their parts have a range, and its middle is written") {
  // 0-1 and 0-2: 0 is on one side.
  const std::vector<PairValue> pairs = {{0, 1, 3e-3, 1}, {0, 2, 5e-3, 1}};
  const auto hosts = fit_latencies(pairs, 4);
  CHECK(hosts[0].least == Approx(0).margin(1e-9));
  CHECK(hosts[0].most == Approx(3e-3));
  CHECK(hosts[0].seconds == Approx(1.5e-3));
  CHECK(hosts[1].least == Approx(0).margin(1e-9));
  CHECK(hosts[2].least == Approx(2e-3));
  CHECK(hosts[2].most == Approx(5e-3));
  CHECK(hosts[3].pairs == 0);
  // A triangle determines them.
  const std::vector<PairValue> triangle = {{0, 1, 3e-3, 1}, {0, 2, 5e-3, 1}, {2, 1, 6e-3, 1}};
  const auto known = fit_latencies(triangle, 3);
  const double expected[] = {1e-3, 2e-3, 4e-3};
  for (int i = 0; i < 3; ++i) {
    CHECK(known[i].seconds == Approx(expected[i]));
    CHECK(known[i].least == known[i].most);
  }
}

TEST_CASE("latency fit: outliers in a tenth of the pairs change the latencies little") {
  SplitMix random(9);
  constexpr std::uint32_t hosts = 40;
  std::vector<double> truth;
  for (std::uint32_t i = 0; i < hosts; ++i) truth.push_back(1e-4 * (1 + 9 * random.uniform()));
  std::vector<PairValue> pairs;
  for (std::uint32_t i = 0; i < hosts; ++i)
    for (std::uint32_t j = 0; j < hosts; ++j) {
      if (i == j || random.uniform() > 0.4) continue;
      double value = (truth[i] + truth[j]) * (0.97 + 0.06 * random.uniform());
      if (random.uniform() < 0.1) value *= random.uniform() < 0.5 ? 0.1 : 10;
      pairs.push_back({i, j, value, 1});
    }
  const auto found = fit_latencies(pairs, hosts);
  for (std::uint32_t i = 0; i < hosts; ++i) CHECK(std::abs(found[i].seconds - truth[i]) < 0.05 * (truth[i] + 3e-4));
}

TEST_CASE("latency fit: a long chain of hosts is solved, where steps in one variable at a time are slow") {
  SplitMix random(2);
  constexpr std::uint32_t hosts = 1000;
  std::vector<double> truth;
  for (std::uint32_t i = 0; i < hosts; ++i) truth.push_back(i % 50 == 7 ? 0 : 1e-4 * (1 + 9 * random.uniform()));
  std::vector<SumTerm> terms = {{0, 2, truth[0] + truth[2], 1}};  // a triangle, which determines all values
  for (std::uint32_t i = 0; i + 1 < hosts; ++i) terms.push_back({i, i + 1, truth[i] + truth[i + 1], 1});
  const std::vector<double> x = least_squares_of_sums(terms, std::vector<double>(hosts, 1e-4));
  for (std::uint32_t i = 0; i < hosts; ++i) CHECK(x[i] == Approx(truth[i]).margin(1e-7));
}

TEST_CASE("latency fit: groups of hosts and their sides") {
  const std::vector<PairValue> pairs = {{0, 1, 1, 1}, {2, 1, 1, 1}, {3, 4, 1, 1}, {4, 5, 1, 1}, {5, 3, 1, 1}};
  const auto groups = groups_of(pairs, 7);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].has_two_sides);
  CHECK(groups[0].sides[0] == std::vector<std::uint32_t>{0, 2});
  CHECK(groups[0].sides[1] == std::vector<std::uint32_t>{1});
  CHECK_FALSE(groups[1].has_two_sides);
  CHECK(groups[1].sides[0].size() == 3);
}

}  // namespace rehearse::app
