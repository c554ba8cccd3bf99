// SPDX-License-Identifier: MIT
//
// Type signatures: the sequence of basic types that a buffer holds, reduced to one number that is
// equal for equal sequences, however the datatypes that describe them were built.
//
// Method:  a polynomial hash over the prime field of 2^61 - 1. Concatenation and n-fold repetition
//          of sequences are O(1) and O(log n) on hashes, so a signature never needs the sequence
//          itself.
// Range:   two different sequences have the same number with a probability around length / 2^61.
// Source:  Karp, Rabin, "Efficient randomized pattern-matching algorithms", IBM J. Res. Dev. 31
//          (1987).
#pragma once

#include <cstdint>

namespace rehearse::smpi {

class Signature {
 public:
  Signature() = default;  // of the empty sequence

  // One element of the basic type with this handle.
  static Signature of_basic(std::uint32_t handle);
  // A sequence that matches any other (MPI_PACKED).
  static Signature wildcard();

  friend Signature operator+(const Signature& a, const Signature& b);  // a, then b
  Signature repeated(std::int64_t times) const;

  std::int64_t length() const { return length_; }  // basic elements

  // Equal for equal sequences; never 0, but for sequences with a wildcard in them, where it is 0
  // (unknown).
  std::uint64_t value() const;

 private:
  std::uint64_t hash_ = 0;
  std::uint64_t weight_ = 1;  // base to the power of length
  std::int64_t length_ = 0;
  bool any_ = false;
};

}  // namespace rehearse::smpi
