// SPDX-License-Identifier: MIT
//
// The exact check of multipliers: it accepts proofs, and refuses everything else.
#include "mc/flow/system.hpp"

#include <catch2/catch.hpp>

using namespace rehearse::mc::flow;

namespace {

// x + y <= 1, and the question is whether x + y + z = 3 with z = 1.
struct Example {
  System system;
  Question question;
  Variable x = system.add_variable(), y = system.add_variable(), z = system.add_variable();

  Example() {
    system.add({{{x, 1}, {y, 1}}, Relation::at_most, 1});
    question.rows.push_back({{{x, 1}, {y, 1}, {z, 1}}, Relation::equal, 3});
    question.fixed.push_back({z, true});
  }
  bool is_refuted_by(std::vector<std::int64_t> multipliers) const { return refutes(system, question, multipliers); }
};

}  // namespace

TEST_CASE("flow system: multipliers that prove it refute a question", "[mc][flow]") {
  const Example example;
  CHECK(example.is_refuted_by({1, -1}));
  CHECK(example.is_refuted_by({1000, -1000}));
}

TEST_CASE("flow system: tampered multipliers refute nothing", "[mc][flow]") {
  const Example example;
  CHECK_FALSE(example.is_refuted_by({0, 0}));
  CHECK_FALSE(example.is_refuted_by({0, -1}));  // without the first row, all may be 1
  CHECK_FALSE(example.is_refuted_by({1, 1}));
  CHECK_FALSE(example.is_refuted_by({-1, -1}));  // a negative multiplier of an inequality
  CHECK_FALSE(example.is_refuted_by({1}));
  CHECK_FALSE(example.is_refuted_by({1, -1, 0}));
  CHECK_FALSE(example.is_refuted_by({multiplier_max + 1, -multiplier_max - 1}));
}

TEST_CASE("flow system: the bounds of variables count", "[mc][flow]") {
  System system;
  const Variable x = system.add_variable();
  CHECK(refutes(system, {{{{{x, 1}}, Relation::at_most, -1}}, {}}, std::vector<std::int64_t>{1}));
  CHECK(refutes(system, {{{{{x, -1}}, Relation::at_most, -2}}, {}}, std::vector<std::int64_t>{1}));
  CHECK_FALSE(refutes(system, {{{{{x, -1}}, Relation::at_most, -1}}, {}}, std::vector<std::int64_t>{1}));
  CHECK(refutes(system, {{{{{x, -1}}, Relation::at_most, -1}}, {{x, false}}}, std::vector<std::int64_t>{1}));
  CHECK_FALSE(refutes(system, {{{{{x, -1}}, Relation::at_most, -1}}, {{x, true}}}, std::vector<std::int64_t>{1}));
}

// Whatever the multipliers are, a question with a solution is not refuted.
TEST_CASE("flow system: no multipliers refute a question with a solution", "[mc][flow]") {
  System system;
  const Variable x = system.add_variable(), y = system.add_variable();
  system.add({{{x, 2}, {y, -1}}, Relation::at_most, 1});
  const Question question{{{{{x, 1}, {y, 1}}, Relation::equal, 2}}, {}};  // x = y = 1
  for (std::int64_t a = -3; a <= 3; ++a)
    for (std::int64_t b = -3; b <= 3; ++b) CHECK_FALSE(refutes(system, question, std::vector{a, b}));
}
