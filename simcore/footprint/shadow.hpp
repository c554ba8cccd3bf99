// SPDX-License-Identifier: MIT
//
// Where the bytes of an actor's memory and registers come from, in the course of one step.
//
// A byte is *known* (a function of the bytes that the step has read so far), or the initial value of one byte of
// memory, or a byte of a *sum*: an initial value plus known amounts. To use a byte for anything else is to read
// the initial bytes behind it.
//
// Errors: none; a byte outside of the watched range is always known.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "simcore/footprint/instruction.hpp"
#include "simcore/footprint/machine.hpp"
#include "simcore/footprint/own_pages.hpp"

namespace rehearse::footprint {

// 0: known. An address: the initial byte there. Otherwise: a byte of a sum (Shadow::part_of_sum).
using Origin = std::uint64_t;
inline constexpr Origin known = 0;

struct SumOrigin {
  std::uint64_t at = 0;  // the initial value
  std::uint8_t bytes = 0;
  bool is_double = false;
  std::uint64_t amount = 0;     // of integers
  double double_amount = 0;     // of doubles: the sum of all amounts,
  double magnitude = 0;         // of their absolute values,
  std::uint32_t additions = 0;  // and their number
};

class Shadow {
 public:
  explicit Shadow(const Machine& machine);

  struct Range {
    std::uint64_t begin = 0, end = 0;
    bool contains(std::uint64_t address) const { return address - begin < end - begin; }
  };
  // Forgets everything, and watches the range. Data also moves through `scratch`, whose initial bytes are known.
  void begin(const Range& watched, const Range& scratch);

  bool watches(std::uint64_t address) const { return watched_.contains(address); }

  // Code that was executed. The number changes when a store may have changed code that was noted with it.
  std::uint64_t code_number() const { return code_number_; }
  void note_code(std::uint64_t address, std::size_t bytes) {
    code_.begin = std::min(code_.begin, address);
    code_.end = std::max(code_.end, address + bytes);
  }

  // The step depends on the initial bytes behind these.
  void read(Origin origin);
  void read(std::span<const Origin> origins) {
    for (const Origin origin : origins)
      if (origin != known) read(origin);
  }

  // Whether the step has read everything behind the bytes.
  bool is_known(std::span<const Origin> origins) const;

  // Memory. prepare() must be called before the processor writes there.
  void prepare(std::uint64_t address, std::size_t bytes);
  void load(std::uint64_t address, std::span<Origin> into) const;
  void store(std::uint64_t address, std::span<const Origin> origins);
  void store_known(std::uint64_t address, std::size_t bytes);

  // Sums.
  bool is_sum(std::span<const Origin> origins, bool is_double, SumOrigin& sum) const;
  void make_sum(const SumOrigin& sum, std::span<Origin> into);
  const SumOrigin& sum_of(Origin origin) const { return sums_[(origin & ~sum_bit) >> 8]; }
  static bool is_of_sum(Origin origin) { return (origin & sum_bit) != 0; }
  static std::size_t part_of_sum(Origin origin) { return origin & 0xff; }

  std::array<Origin, 8>& general(std::uint8_t number) { return general_[number]; }
  std::array<Origin, vector_bytes>& vector(std::uint8_t number) { return vectors_[number]; }

  // The flags depend on these bytes; used when something asks for the flags.
  void set_flags(std::span<const Origin> origins, bool replaces);
  void read_flags();

  // Eight aligned bytes that the step has touched.
  struct Word {
    std::uint64_t address = 0;
    std::uint64_t initial = 0;
    std::array<Origin, 8> origins = {};
    std::uint8_t read = 0, stored = 0, moved = 0;  // by byte; moved: part of a move of the result
  };
  std::span<Word> words() { return words_; }
  Word& word(std::uint64_t address);  // of any byte in it

 private:
  static constexpr std::uint64_t sum_bit = std::uint64_t{1} << 63;
  bool follows(std::uint64_t address) const { return watches(address) || scratch_.contains(address); }
  const Word* find(std::uint64_t address) const;
  void forget_code();
  void grow();

  const Machine& machine_;
  Range watched_, scratch_;
  Range code_;  // has all code that was noted
  std::uint64_t code_number_ = 1;
  std::array<std::array<Origin, 8>, general_count> general_ = {};
  std::array<std::array<Origin, vector_bytes>, vector_count> vectors_ = {};
  std::array<Origin, 16> flags_ = {};
  std::size_t flag_count_ = 0;
  PageVector<Word> words_;
  PageVector<std::uint32_t> table_;  // numbers of words, plus 1; 0: free
  PageVector<SumOrigin> sums_;
};

}  // namespace rehearse::footprint
