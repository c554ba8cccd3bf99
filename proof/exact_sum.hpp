// SPDX-License-Identifier: MIT
//
// Rows over variables that are 0 or 1, and the sum of rows, each times an integer, in integers of 128 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rehearse::proof {

// The sum of the terms, each a variable times a factor, is at most the bound; of an equation, it is equal to it.
struct Row {
  std::vector<std::pair<std::uint32_t, std::int32_t>> terms;
  bool is_equation = false;
  std::int64_t bound = 0;
};

// By variable; none: it may be 0 or 1.
using Values = std::vector<std::optional<bool>>;

class ExactSum {
 public:
  explicit ExactSum(std::size_t variables) : factors_(variables) {}

  // Returns the reason not to add the row; empty: it is added.
  std::string add(const Row& row, std::int64_t multiplier);

  // Whether the sum excludes all variables with these values: even the least left side is above the right side.
  bool is_contradiction(const Values& values) const;

 private:
  using Wide = __int128;
  std::vector<Wide> factors_;
  Wide bound_ = 0;
};

}  // namespace rehearse::proof
