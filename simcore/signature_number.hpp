// SPDX-License-Identifier: MIT
//
// The numbers by which drivers compare the types of data (Send::signature, Collective::signature): equal for equal
// sequences of elements, different for different ones. For short or simple sequences the number encodes the sequence,
// for others it is a hash.
//
// Layout:  bits 62 and 63: the form; 55 to 61: the manner in which contributions are combined, 0: they are not; below:
//          of a uniform sequence the element (8 bits) and the length (47); of a listed one up to 4 runs, the first in
//          the lowest bits, each with its element (8) and length (5), 0: no more; of others 55 bits of a hash.
//          A sequence without elements is a list without runs.
// Special: 0 is unknown, 1 differs from all others.
#pragma once

#include <cstdint>
#include <optional>

namespace rehearse {

enum class SignatureForm : std::uint8_t { hashed, uniform, listed };

struct SignatureNumber {
  static constexpr int form_bit = 62, manner_bit = 55, element_bit = 47, run_bits = 13, run_length_bits = 5;
  static constexpr std::uint64_t most_elements = 256, most_manners = 128;
  static constexpr std::uint64_t longest_uniform = (std::uint64_t{1} << element_bit) - 1;
  static constexpr std::uint64_t longest_run = (1 << run_length_bits) - 1;
  static constexpr int most_runs = 4;

  std::uint64_t value = 0;

  SignatureForm form() const { return static_cast<SignatureForm>(value >> form_bit); }
  std::uint64_t manner() const { return value >> manner_bit & (most_manners - 1); }
  std::uint64_t body() const { return value & ((std::uint64_t{1} << manner_bit) - 1); }
  bool is_special() const { return value < 2; }
  bool is_of_nothing() const { return form() == SignatureForm::listed && body() == 0; }

  static SignatureNumber make(SignatureForm form, std::uint64_t manner, std::uint64_t body) {
    return {static_cast<std::uint64_t>(form) << form_bit | manner << manner_bit | body};
  }
  // The same number with a manner. Not for special numbers.
  SignatureNumber combined(std::uint64_t manner) const { return make(form(), manner, body()); }

  // Element number `place` of a sequence; nothing: after the end, or unknown, because the number is a hash.
  std::optional<std::uint32_t> element_at(std::uint64_t place) const {
    if (form() == SignatureForm::uniform && place < (body() & longest_uniform))
      return static_cast<std::uint32_t>(body() >> element_bit);
    if (form() != SignatureForm::listed) return std::nullopt;
    for (std::uint64_t runs = body(); runs != 0; runs >>= run_bits) {
      if (place < (runs & longest_run))
        return static_cast<std::uint32_t>(runs >> run_length_bits & (most_elements - 1));
      place -= runs & longest_run;
    }
    return std::nullopt;
  }
};

// The difference between two collectives with different numbers: operator, count or, if unknown, signature.
inline const char* what_differs(std::uint64_t mine, std::uint64_t theirs) {
  const SignatureNumber a{mine}, b{theirs};
  if (a.is_special() || b.is_special()) return "signature";
  if (a.manner() != b.manner()) return "operator";
  if (a.is_of_nothing() || b.is_of_nothing()) return "count";
  const bool are_uniform = a.form() == SignatureForm::uniform && b.form() == SignatureForm::uniform;
  return are_uniform && a.body() >> SignatureNumber::element_bit == b.body() >> SignatureNumber::element_bit
             ? "count"
             : "signature";
}

}  // namespace rehearse
