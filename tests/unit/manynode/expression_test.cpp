// SPDX-License-Identifier: MIT
//
// Expressions of skeletons: values, precedence, errors.
#include "manynode/expression.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace {

using rehearse::manynode::Expression;

double value_of(const char* text, double rank = 5, double ranks = 12) {
  const auto parsed = Expression::parse(text, {2, true, nullptr});
  REQUIRE(parsed);
  Expression::Variables variables;
  variables.rank = rank;
  variables.ranks = ranks;
  variables.loops = {3, 7};
  variables.member = 9;
  const double value = parsed.value().value(variables);
  const double bound = parsed.value().with_ranks(ranks).value(variables);
  CHECK((value == bound || (std::isnan(value) && std::isnan(bound))));
  return value;
}

std::string error_of(const char* text, std::uint32_t loops = 0) {
  const auto parsed = Expression::parse(text, {loops, false, nullptr});
  REQUIRE_FALSE(parsed);
  return parsed.error().text;
}

}  // namespace

TEST_CASE("expression: operators bind as in the manual") {
  CHECK(value_of("1 + 2 * 3") == 7);
  CHECK(value_of("2 ^ 3 ^ 2") == 512);
  CHECK(value_of("-2 ^ 2") == -4);
  CHECK(value_of("8 / 3 * 3") == 8);
  CHECK(value_of("10 - 4 - 3") == 3);
  CHECK(value_of("1 < 2 and 3 != 3 or not 0") == 1);
  CHECK(value_of("not 1 == 2") == 1);
  CHECK(value_of("(1 + 2) * -(3 - 5)") == 6);
}

TEST_CASE("expression: a remainder has the sign of its divisor") {
  CHECK(value_of("(r - 1) % P", 0) == 11);
  CHECK(value_of("-7 % 3") == 2);
  CHECK(value_of("7 % -3") == -2);
  CHECK(std::isnan(value_of("7 % 0")));
}

TEST_CASE("expression: variables and functions") {
  CHECK(value_of("r + P + i0 * i1 + m") == 5 + 12 + 21 + 9);
  CHECK(value_of("floor(cbrt(27)) + sqrt(16) + log2(8) + ceil(2.5) + abs(-2)") == 3 + 4 + 3 + 3 + 2);
  CHECK(value_of("min(r, P) * max(2, 3)") == 15);
  CHECK(value_of("xor(6, 3)") == 5);
  CHECK(value_of("div(-7, 2)") == -4);
  CHECK(value_of("floor(64 ^ (1 / 3))") == 4);  // inexact powers do not lose a unit
  CHECK(value_of("dims(32, 2, 0) * 10 + dims(32, 2, 1)") == 84);
  CHECK(value_of("part(10, 0, 3) * 100 + part(10, 1, 3) * 10 + part(10, 2, 3)") == 334);
}

TEST_CASE("expression: a name stands for its expression") {
  std::map<std::string, Expression, std::less<>> names;
  names.emplace("C", Expression::parse("dims(P, 2, 0)", {}).value());
  names.emplace("x", Expression::parse("r % C", {0, false, &names}).value());
  Expression::Variables variables;
  variables.rank = 7;
  variables.ranks = 12;
  CHECK(Expression::parse("x + 10 * C", {0, false, &names}).value().value(variables) == 3 + 40);
}

TEST_CASE("expression: an error names the place and what is accepted") {
  CHECK(error_of("1 +") ==
        "expression '1 +': the end at character 4; accepted: a number, r, P, a loop counter (i0 in the "
        "outermost loop), '(', -, not, log2, cbrt, sqrt, floor, ceil, abs, min, max, xor, div, dims, "
        "part");
  CHECK(error_of("(1 + 2").find("accepted: ')'") != std::string::npos);
  CHECK(error_of("min(1)").find("accepted: ','") != std::string::npos);
  CHECK(error_of("1 2").find("'2' at character 3; accepted: an operator") != std::string::npos);
  CHECK(error_of("i0").find("no loop counter") != std::string::npos);
  CHECK(error_of("i2", 2).find("i0 to i1") != std::string::npos);
  CHECK(error_of("0x10").find("accepted: a number") != std::string::npos);
  CHECK(error_of(std::string(5000, '(').c_str()).find("fewer parentheses") != std::string::npos);
}
