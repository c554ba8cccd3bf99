// SPDX-License-Identifier: MIT
//
// The exact check, in integers of 128 bits.
#include "mc/flow/system.hpp"

#include <utility>

#include "simcore/support/assert.hpp"

namespace rehearse::mc::flow {

namespace {

using Wide = __int128;

constexpr std::uint32_t size_max = std::uint32_t{1} << 24;
constexpr std::int32_t factor_max = std::int32_t{1} << 16;
constexpr std::int64_t bound_max = std::int64_t{1} << 40;

void check(const Row& row, std::uint32_t variables) {
  REHEARSE_ASSERT(row.bound <= bound_max && row.bound >= -bound_max, "the bound of a row is in the limits");
  for (const Term& term : row.terms)
    REHEARSE_ASSERT(term.variable < variables && term.factor <= factor_max && term.factor >= -factor_max,
                    "the terms of a row are in the limits");
}

bool is_allowed(const Row& row, std::int64_t multiplier) {
  if (row.relation == Relation::at_most && multiplier < 0) return false;
  return multiplier <= multiplier_max && multiplier >= -multiplier_max;
}

// The sum of rows, each times its multiplier.
struct Sum {
  std::vector<Wide> factors;  // by variable
  Wide bound = 0;

  bool add(const Row& row, std::int64_t multiplier) {
    if (!is_allowed(row, multiplier)) return false;
    if (multiplier == 0) return true;
    for (const Term& term : row.terms) factors[term.variable] += Wide{multiplier} * term.factor;
    bound += Wide{multiplier} * row.bound;
    return true;
  }
};

}  // namespace

void System::add(Row row, Family family) {
  check(row, variables_);
  REHEARSE_ASSERT(family.place >= 0 && family.place <= place_max, "the place of a row is in the limits");
  rows_.push_back(std::move(row));
  families_.push_back(family);
  REHEARSE_ASSERT(rows_.size() < size_max && variables_ < size_max, "a system is in the limits");
}

bool refutes(const System& system, const Question& question, std::span<const std::int64_t> multipliers) {
  const std::span<const Row> rows = system.rows();
  if (multipliers.size() != rows.size() + question.rows.size()) return false;
  Sum sum{std::vector<Wide>(system.variable_count())};
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!sum.add(rows[i], multipliers[i])) return false;
  for (std::size_t i = 0; i < question.rows.size(); ++i) {
    check(question.rows[i], system.variable_count());
    if (!sum.add(question.rows[i], multipliers[rows.size() + i])) return false;
  }
  for (const Fixed& fixed : question.fixed) {
    Wide& factor = sum.factors[fixed.variable];
    if (fixed.value) sum.bound -= factor;
    factor = 0;
  }
  Wide least = 0;  // of the left side: variables with a positive factor are 0, the others 1
  for (const Wide& factor : sum.factors)
    if (factor < 0) least += factor;
  return least > sum.bound;
}

}  // namespace rehearse::mc::flow
