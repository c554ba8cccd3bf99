// SPDX-License-Identifier: MIT
//
// Are programs that flow equations call verified without an error in all interleavings? On random programs whose actors
// have memory, and on fan-ins with a wrong partial sum.
#pragma once

#include <cstdint>

namespace rehearse::tests {

class FlowComparison {
 public:
  // False: a proof is wrong. The program is printed.
  bool add(std::uint64_t seed);
  bool has_pairs() const { return pairs_ > 0; }
  bool has_proofs() const { return proved_ > 0; }  // otherwise the comparison says nothing
  void print() const;

 private:
  std::uint64_t programs_ = 0, pairs_ = 0, too_large_ = 0, good_ = 0, proved_ = 0, of_several_ = 0,
                proved_of_several_ = 0;
};

// Fan-in of `senders`: one partial sum is wrong, once for every subset of the senders. False: one is called verified.
bool proves_no_bad_sum(std::uint32_t senders);

}  // namespace rehearse::tests
