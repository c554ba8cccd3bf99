// SPDX-License-Identifier: MIT
//
// Predicates over published values: what they say, and what cannot be read.
#include "simcore/predicate.hpp"

#include <catch2/catch.hpp>

using namespace rehearse;

namespace {

// Of x@0 and y@1, and of z everywhere.
bool holds(const std::string& text, std::int64_t x, std::int64_t y, const std::vector<std::int64_t>& z = {0}) {
  auto predicate = Predicate::parse(text);
  REQUIRE(predicate);
  std::vector<std::vector<std::int64_t>> values;
  for (const Predicate::Term& term : predicate.value().terms()) {
    if (term.kind != Predicate::Term::Kind::of_one) values.push_back(z);
    else values.push_back({term.name == "x" ? x : y});
  }
  return predicate.value().holds(values);
}

std::string problem(const std::string& text) {
  auto predicate = Predicate::parse(text);
  return predicate ? "" : predicate.error().text;
}

}  // namespace

TEST_CASE("predicate: operators bind as in C", "[simcore][predicate]") {
  CHECK(holds("x@0 + 2 * y@1 == 7", 1, 3));
  CHECK_FALSE(holds("(x@0 + 2) * y@1 == 7", 1, 3));
  CHECK(holds("x@0 || y@1 && 0", 1, 0));
  CHECK_FALSE(holds("(x@0 || y@1) && 0", 1, 0));
  CHECK(holds("x@0 < 2 == 1", 1, 0));
  CHECK(holds("x@0 - 1 - 1 == 1", 3, 0));
  CHECK(holds("-x@0 == 0 - 5", 5, 0));
  CHECK(holds("!x@0", 0, 0));
  CHECK_FALSE(holds("!x@0", 2, 0));
  CHECK(holds("x@0 >= y@1 && x@0 <= y@1 && !(x@0 > y@1) && !(x@0 != y@1)", 4, 4));
}

TEST_CASE("predicate: sums and bounds are over all values", "[simcore][predicate]") {
  CHECK(holds("sum(z) == 6", 0, 0, {1, 2, 3}));
  CHECK(holds("min(z) == 1 && max(z) == 3", 0, 0, {2, 1, 3}));
  CHECK(Predicate::parse("sum(a.b_1)").value().terms()[0].name == "a.b_1");
}

TEST_CASE("predicate: a syntax error is reported with its place", "[simcore][predicate]") {
  CHECK(problem("x@0 &&") == "character 7: the end, expected a number, a value such as busy@0, or sum(busy)");
  CHECK(problem("x") == "character 2: the end, expected '@' and a rank after x, or sum(x)");
  CHECK(problem("x@y") == "character 3: 'y', expected a rank");
  CHECK(problem("x@0 = 1") == "character 5: '= 1', expected an operator, such as && or ==, or the end");
  CHECK(problem("(x@0") == "character 5: the end, expected ')'");
  CHECK(problem("mean(x)") == "'mean(': accepted over the values of all ranks: sum, min, max");
  CHECK(problem("x@0 == 99999999999999999999") == "character 8: '999999999999', expected a smaller number");
  CHECK(problem("1 == 1") == "it names no value, such as busy@0 or sum(busy)");
  CHECK(problem("") == "character 1: the end, expected a number, a value such as busy@0, or sum(busy)");
  CHECK(problem(std::string(100, '(') + "x@0" + std::string(100, ')')) == "parentheses are nested more than 64 deep");
  CHECK(problem(std::string(60, '(') + "x@0" + std::string(60, ')')).empty());
}
