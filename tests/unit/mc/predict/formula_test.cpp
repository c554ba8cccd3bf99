// SPDX-License-Identifier: MIT
//
// Formulas and their solutions.
#include "mc/predict/formula.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "simcore/support/random.hpp"

namespace formula_test {
namespace {

using namespace rehearse;
using namespace rehearse::mc::predict;

constexpr std::uint32_t enough = 10'000'000;

TEST_CASE("dates have solutions unless they go in a circle", "[predict]") {
  REQUIRE(Formula::is_there());
  Formula formula;
  const Term a = formula.date(), b = formula.date(), c = formula.date();
  formula.require(formula.less(a, b));
  formula.require(formula.less(b, c));
  REQUIRE(formula.ask(formula.constant(true), enough) == Reply::yes);
  CHECK(formula.number(a) < formula.number(b));
  CHECK(formula.number(b) < formula.number(c));
  CHECK(formula.ask(formula.less(c, a), enough) == Reply::no);
  CHECK(formula.ask(formula.constant(true), enough) == Reply::yes);  // an answer does not change the formula
}

// Sums over a few booleans, against all their values. A context of Z3 is expensive, so many rounds share a formula.
void compare_sums(Formula& formula, SplitMix& chance, bool is_required) {
  std::vector<Term> terms;
  std::vector<std::uint32_t> weights;
  const std::size_t size = 1 + chance.below(5);
  for (std::size_t i = 0; i < size; ++i) {
    terms.push_back(formula.boolean());
    weights.push_back(static_cast<std::uint32_t>(1 + chance.below(4)));
  }
  const auto most = static_cast<std::uint32_t>(chance.below(5)), least = static_cast<std::uint32_t>(chance.below(5));
  const auto weight = static_cast<std::uint32_t>(chance.below(9));
  bool is_possible = false;
  for (std::uint32_t set = 0; set < 1u << size; ++set) {
    std::uint32_t number = 0, sum = 0;
    for (std::size_t i = 0; i < size; ++i)
      if ((set >> i & 1) != 0) ++number, sum += weights[i];
    is_possible = is_possible || (number <= most && number >= least && sum <= weight);
  }
  const Term all = formula.all(
      {formula.at_most(terms, most), formula.at_least(terms, least), formula.weighs_at_most(terms, weights, weight)});
  if (is_required) formula.require(all);
  const Reply reply = formula.ask(is_required ? formula.constant(true) : all, enough);
  REQUIRE(reply == (is_possible ? Reply::yes : Reply::no));
  if (!is_possible) return;
  std::uint32_t number = 0;
  for (const Term term : terms) number += formula.value(term);
  CHECK(number <= most);
  CHECK(number >= least);
}

TEST_CASE("sums count what is true", "[predict]") {
  SplitMix chance(1);
  Formula shared;
  for (int round = 0; round < 200; ++round) compare_sums(shared, chance, false);
  for (int round = 0; round < 20; ++round) {
    Formula own;
    compare_sums(own, chance, true);
  }
}

TEST_CASE("a question that takes too many steps has no answer", "[predict]") {
  Formula formula;  // ten messages for nine receives
  constexpr std::size_t messages = 10, receives = 9;
  std::vector<std::vector<Term>> takes(receives);
  for (std::size_t m = 0; m < messages; ++m) {
    std::vector<Term> somewhere;
    for (std::size_t r = 0; r < receives; ++r) {
      takes[r].push_back(formula.boolean());
      somewhere.push_back(takes[r].back());
    }
    formula.require(formula.any(somewhere));
  }
  for (const auto& each : takes)
    for (std::size_t i = 0; i < messages; ++i)
      for (std::size_t j = 0; j < i; ++j) formula.require(formula.none(formula.all({each[i], each[j]})));
  CHECK(formula.ask(formula.constant(true), 1000) == Reply::unknown);
}

}  // namespace
}  // namespace formula_test
