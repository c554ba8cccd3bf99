// SPDX-License-Identifier: MIT
//
// A sum has at most 2^32 rows with factors up to 2^31, bounds up to 2^32 and multipliers up to 2^60: below 2^124.
#include "proof/exact_sum.hpp"

namespace rehearse::proof {

std::string ExactSum::add(const Row& row, std::int64_t multiplier) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  if (multiplier > most || multiplier < -most) return "a multiplier is at most 2^60";
  if (!row.is_equation && multiplier < 0) return "the multiplier of an inequality is not negative";
  for (const auto& [variable, factor] : row.terms) factors_[variable] += Wide{multiplier} * factor;
  bound_ += Wide{multiplier} * row.bound;
  return "";
}

bool ExactSum::is_contradiction(const Values& values) const {
  Wide least = 0;
  for (std::size_t v = 0; v < factors_.size(); ++v) {
    if (values[v] ? *values[v] : factors_[v] < 0) least += factors_[v];
  }
  return least > bound_;
}

}  // namespace rehearse::proof
