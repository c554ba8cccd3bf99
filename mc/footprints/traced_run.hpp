// SPDX-License-Identifier: MIT
//
// One step under way (traced_machine.hpp), and the own words of the machine.
#pragma once

#include "mc/footprints/traced_machine.hpp"

namespace rehearse::mc::footprints {

inline constexpr Word clock_word = Word{1} << 60;
inline constexpr Word first_arrival_word = clock_word + 1;
inline constexpr Word first_count_word = clock_word + (Word{1} << 32);
inline constexpr Word arrival_word(std::uint32_t index) { return first_arrival_word + index; }
inline constexpr bool is_own(Word word) { return (word & clock_word) != 0 && (word & (half_word | real_word)) == 0; }

struct TracedMachine::Run {
  std::uint32_t actor = 0;
  const Known* known = nullptr;  // null: the start of the actor
  bool is_traced = false;
  Effect effect;  // of all but memory
  history::LocalClock clock;
  std::uint32_t passed = 0;  // operations that concern no other actor
};

}  // namespace rehearse::mc::footprints
