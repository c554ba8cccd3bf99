// SPDX-License-Identifier: MIT
//
// A condition that separates ranks from others.
//
// Method: the conjunction of all elementary conditions that hold for every rank of the set is the strictest one. If it
//         holds for none of the others, conditions are left out while that stays so, the longest first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "manynode/inference/vocabulary.hpp"

namespace rehearse::manynode::inference {

class Conditions {
 public:
  explicit Conditions(const Vocabulary& vocabulary);

  // By member of the vocabulary: `in` the set, or of the `others`; a member in neither does not matter. Nothing: no
  // conjunction separates them. The number 1 is the condition that holds always.
  std::optional<Term> separate(const std::vector<char>& in, const std::vector<char>& others) const;

 private:
  struct Elementary {
    Term term;
    double cost = 0;
    std::vector<char> holds;  // by member
  };
  void add(const Term& term, double extra = 0);
  std::optional<Term> find(const std::vector<char>& in, const std::vector<char>& others) const;

  const Vocabulary& vocabulary_;
  std::vector<Elementary> all_;  // the cheapest first
};

}  // namespace rehearse::manynode::inference
