// SPDX-License-Identifier: MIT
//
// Texts of proofs against their checker, and the checker against all states of small nets.
#pragma once

#include <cstdint>
#include <string>

namespace rehearse::tests {

// The proof of random programs must be accepted. Damaged ones may be accepted only if what they claim is true in every
// state of their nets.
class ProofComparison {
 public:
  // False: a difference, which is printed.
  bool add(std::uint64_t seed);
  void print() const;

 private:
  bool add(const std::string& text, std::uint64_t seed);

  std::uint64_t programs_ = 0, proofs_ = 0, damaged_ = 0, accepted_ = 0, false_ = 0, too_large_ = 0;
};

}  // namespace rehearse::tests
