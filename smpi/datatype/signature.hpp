// SPDX-License-Identifier: MIT
//
// Type signatures: the sequence of basic types in a buffer as one number. Equal sequences have equal numbers, even if
// their datatypes were built in different ways.
//
// Method:  a polynomial hash over the prime field of 2^61 - 1. Concatenation and n-fold repetition
//          of sequences are O(1) and O(log n) on hashes, so a signature never needs the sequence
//          itself. Sequences of equal elements, the common ones, are distinguished by type and length alone.
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

  std::int64_t length() const { return length_; }          // basic elements
  bool uniform() const { return kind_ == Kind::uniform; }  // at least one, and all equal

  // Equal for equal sequences; 0 (unknown) for sequences that contain a wildcard, and only for these; never 1.
  std::uint64_t value() const { return repeated_value(1); }
  // repeated(times).value(), O(1) for uniform sequences.
  std::uint64_t repeated_value(std::int64_t times) const;
  // The value of `length` (at least one) elements of a uniform sequence.
  std::uint64_t uniform_value(std::int64_t length) const;

 private:
  std::uint64_t hash_ = 0;
  std::uint64_t weight_ = 1;  // base to the power of length
  std::int64_t length_ = 0;
  std::uint32_t element_ = 0;  // of a uniform sequence
  enum class Kind : std::uint8_t { empty, uniform, mixed, wildcard } kind_ = Kind::empty;
};

}  // namespace rehearse::smpi
