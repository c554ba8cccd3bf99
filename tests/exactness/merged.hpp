// SPDX-License-Identifier: MIT
//
// Does the search of merged states find exactly the ends that all interleavings have? On random programs whose actors
// have memory. Also: does some program come out wrong if a rule is left out?
#pragma once

#include <cstdint>

namespace rehearse::tests {

class MergedComparison {
 public:
  // False: there is a difference, which is printed.
  bool add(std::uint64_t seed);
  bool has_pairs() const { return pairs_ > 0; }
  void print() const;

 private:
  std::uint64_t programs_ = 0, pairs_ = 0, too_large_ = 0, merged_ = 0, with_errors_ = 0, states_ = 0, all_states_ = 0;
};

// Fan-in of `senders`: one partial sum is wrong, once for every subset of the senders. False: a search misses one.
bool finds_each_bad_sum(std::uint32_t senders);

}  // namespace rehearse::tests
