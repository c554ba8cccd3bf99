// SPDX-License-Identifier: MIT
//
// Divides the memory of one actor into words of the net, and converts footprints of steps.
//
// Eight aligned bytes are two words of four bytes at first. They become one word when a step adds to all of them: an
// integer, or a double. So do those between which a step moves such a word. What cannot be said in these words counts
// as read and written: a part of a word that is written, an addition of another kind.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "mc/footprints/machine.hpp"
#include "simcore/footprint.hpp"

namespace rehearse::mc::footprints {

class Cells {
 public:
  // Looks at the sums and moves of a step. True: the words have changed.
  bool learn(const Footprint& footprint);

  // Adds what the step did with memory. Throws NoProof.
  void add(const Footprint& footprint, Effect& effect) const;

  static std::uint64_t address_of(Word word) { return word & ~(half_word | real_word) & ~std::uint64_t{7}; }
  // The part of eight aligned bytes that the word is, with this value.
  static Footprint::Word part_of(Word word, Value value);
  static Value value_in(Word word, std::uint64_t eight_bytes);

 private:
  enum class Kind : std::uint8_t { halves, integer, real };

  Kind kind_at(std::uint64_t address) const;
  void add_read(std::uint64_t address, std::uint8_t bytes, std::uint64_t value, Effect& effect) const;
  void add_write(const Footprint::Word& write, Effect& effect) const;
  void add_sum(const Footprint::Sum& sum, Effect& effect) const;
  void add_move(const Footprint::Sum& move, Effect& effect) const;

  std::unordered_map<std::uint64_t, Kind> kinds_;  // those that are not halves
};

}  // namespace rehearse::mc::footprints
