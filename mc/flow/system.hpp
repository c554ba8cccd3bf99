// SPDX-License-Identifier: MIT
//
// Systems of linear constraints over variables between 0 and 1, and the exact check of a proof that one of them has no
// solution.
//
// A proof is a multiplier for each row (Farkas). The rows, multiplied and added, are one row that every solution
// satisfies. It refutes the system if even its least possible left side is above its right side. All factors, bounds
// and multipliers are integers, so the check is exact; where multipliers come from does not matter.
//
// Limits:  factors up to 2^16, bounds up to 2^40, multipliers up to multiplier_max, 2^24 rows and variables (asserted,
//          but multipliers beyond the limit only do not refute). All sums then fit into 128 bits.
// Threads: none.
// Source:  Neumaier and Shcherbina, "Safe bounds in linear and mixed-integer linear programming", Mathematical
//          Programming 99, 2004: bounded variables make approximate multipliers exact proofs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rehearse::mc::flow {

using Variable = std::uint32_t;

struct Term {
  Variable variable = 0;
  std::int32_t factor = 1;
};

enum class Relation : std::uint8_t { at_most, equal };

// The sum of the terms is at most, or is equal to, the bound.
struct Row {
  std::vector<Term> terms;
  Relation relation = Relation::at_most;
  std::int64_t bound = 0;
};

// Rows of one family are alike: in many proofs, their multipliers are a linear function of their place in it. Whoever
// looks for a proof may try such multipliers first (coarse_system.hpp). A family does not change what is true.
struct Family {
  std::uint32_t id = 0;
  std::int32_t place = 0;  // 0 to place_max
  auto operator<=>(const Family&) const = default;
};
constexpr Family no_family{~std::uint32_t{0}, 0};
constexpr std::int32_t place_max = std::int32_t{1} << 16;

class System {
 public:
  Variable add_variable() { return variables_++; }
  void add(Row row, Family family = no_family);

  std::uint32_t variable_count() const { return variables_; }
  std::span<const Row> rows() const { return rows_; }
  Family family(std::size_t row) const { return families_[row]; }

 private:
  std::uint32_t variables_ = 0;
  std::vector<Row> rows_;
  std::vector<Family> families_;  // by row
};

// A variable that has one of its two extreme values.
struct Fixed {
  Variable variable = 0;
  bool value = false;
};

// Has the system a solution with these further rows, in which these variables have these values?
struct Question {
  std::vector<Row> rows;
  std::vector<Fixed> fixed;
};

// One for each row of the system and then of the question. Those of rows with `at_most` must not be negative.
using Multipliers = std::vector<std::int64_t>;
constexpr std::int64_t multiplier_max = std::int64_t{1} << 44;

// Whether the multipliers prove that the answer to the question is no.
bool refutes(const System& system, const Question& question, std::span<const std::int64_t> multipliers);

}  // namespace rehearse::mc::flow
