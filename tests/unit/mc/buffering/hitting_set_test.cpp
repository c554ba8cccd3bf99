// SPDX-License-Identifier: MIT
//
// Hitting sets against all sets.
#include "mc/buffering/hitting_set.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <random>

using rehearse::mc::buffering::Clause;
using rehearse::mc::buffering::hitting_set;

namespace hitting_set_test {
namespace {

constexpr std::uint32_t numbers = 9;

bool hits(std::uint32_t set, const std::vector<Clause>& clauses) {
  return std::ranges::all_of(clauses, [set](const Clause& clause) {
    return std::ranges::any_of(clause, [set](std::uint32_t number) { return (set >> number & 1u) != 0; });
  });
}

std::uint32_t bits_of(const std::set<std::uint32_t>& found) {
  std::uint32_t bits = 0;
  for (const std::uint32_t number : found) bits |= 1u << number;
  return bits;
}

std::vector<Clause> random_clauses(std::mt19937& random) {
  std::vector<Clause> clauses(random() % 12);
  for (Clause& clause : clauses) {
    const std::uint32_t bits = 1 + random() % ((1u << numbers) - 1);
    for (std::uint32_t number = 0; number < numbers; ++number)
      if ((bits >> number & 1u) != 0 && (random() % 2 == 0 || clause.empty())) clause.push_back(number);
  }
  return clauses;
}

TEST_CASE("hitting set: none is smaller", "[mc]") {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const std::vector<Clause> clauses = random_clauses(random);
    const std::set<std::uint32_t> found = hitting_set(clauses);
    CHECK(hits(bits_of(found), clauses));
    int least = numbers;
    for (std::uint32_t set = 0; set < 1u << numbers; ++set)
      if (hits(set, clauses)) least = std::min(least, std::popcount(set));
    CHECK(static_cast<int>(found.size()) == least);
  }
}

TEST_CASE("hitting set: without time it is still right", "[mc]") {
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    const std::vector<Clause> clauses = random_clauses(random);
    CHECK(hits(bits_of(hitting_set(clauses, 0)), clauses));
  }
  CHECK(hitting_set({}).empty());
}

}  // namespace
}  // namespace hitting_set_test
