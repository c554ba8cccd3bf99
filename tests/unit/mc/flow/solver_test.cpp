// SPDX-License-Identifier: MIT
//
// The solver against all assignments of 0 and 1.
#include "mc/flow/solver.hpp"

#include <catch2/catch.hpp>

#include "simcore/support/random.hpp"

using namespace rehearse;
using namespace rehearse::mc::flow;

namespace {

bool holds(const Row& row, std::uint32_t assignment) {
  std::int64_t sum = 0;
  for (const Term& term : row.terms)
    if ((assignment >> term.variable & 1) != 0) sum += term.factor;
  return row.relation == Relation::equal ? sum == row.bound : sum <= row.bound;
}

bool has_solution(const System& system, const Question& question) {
  for (std::uint32_t assignment = 0; assignment < 1u << system.variable_count(); ++assignment) {
    bool is_solution = true;
    for (const Row& row : system.rows()) is_solution = is_solution && holds(row, assignment);
    for (const Row& row : question.rows) is_solution = is_solution && holds(row, assignment);
    for (const Fixed& fixed : question.fixed)
      is_solution = is_solution && ((assignment >> fixed.variable & 1) != 0) == fixed.value;
    if (is_solution) return true;
  }
  return false;
}

Row random_row(SplitMix& draw, std::uint32_t variables) {
  Row row;
  for (Variable v = 0; v < variables; ++v)
    if (draw.below(2) == 0) row.terms.push_back({v, static_cast<std::int32_t>(draw.below(5)) - 2});
  row.relation = draw.below(2) == 0 ? Relation::equal : Relation::at_most;
  row.bound = static_cast<std::int64_t>(draw.below(5)) - 2;
  return row;
}

}  // namespace

TEST_CASE("flow solver: it refutes what has no solution, and nothing else", "[mc][flow]") {
  std::uint64_t refuted = 0, unsolvable = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SplitMix draw(seed);
    System system;
    const std::uint32_t variables = 3 + static_cast<std::uint32_t>(draw.below(6));
    for (std::uint32_t v = 0; v < variables; ++v) system.add_variable();
    for (std::uint64_t rows = 1 + draw.below(4); rows > 0; --rows) system.add(random_row(draw, variables));
    Solver solver(system, 8, {});
    for (int questions = 0; questions < 5; ++questions) {  // one after the other: the basis stays
      Question question;
      for (std::uint64_t rows = draw.below(3); rows > 0; --rows) question.rows.push_back(random_row(draw, variables));
      if (draw.below(2) == 0)
        question.fixed.push_back({static_cast<Variable>(draw.below(variables)), draw.below(2) == 0});
      const bool is_refuted = solver.refutes(question, Effort::thorough, 1000);
      INFO("seed " << seed << ", question " << questions);
      if (has_solution(system, question)) {
        REQUIRE_FALSE(is_refuted);
        continue;
      }
      ++unsolvable;
      refuted += is_refuted;
    }
    CHECK(solver.statistics().unchecked == 0);
  }
  CHECK(unsolvable > 100);
  CHECK(refuted == unsolvable);
}

TEST_CASE("flow solver: without divisions, a question that only values in between satisfy is possible", "[mc][flow]") {
  System system;
  const Variable x = system.add_variable(), y = system.add_variable();
  system.add({{{x, 1}, {y, 1}}, Relation::equal, 1});
  Solver solver(system, 8, {});
  const Question question{{{{{x, 1}, {y, -1}}, Relation::equal, 0}}, {}};  // both are a half
  CHECK_FALSE(solver.refutes(question));
  CHECK(solver.refutes(question, Effort::thorough, 1));
}

TEST_CASE("flow solver: when it has to stop, everything is possible", "[mc][flow]") {
  System system;
  const Variable x = system.add_variable();
  Solver solver(system, 8, [] { return false; });
  CHECK_FALSE(solver.refutes({{{{{x, 1}}, Relation::at_most, -1}}, {}}));
  CHECK(solver.statistics().questions == 0);
}
