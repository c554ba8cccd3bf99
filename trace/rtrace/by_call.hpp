// SPDX-License-Identifier: MIT
//
// What a reader of a rank keeps for each call of the block at hand with its numbers, to repeat it without conversion.
//
// Memory: of the first `most` of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace/rtrace/file.hpp"

namespace rehearse::trace::rtrace {

template <class Thing>
class ByCall {
 public:
  // Of the call that the next action repeats. Null: it repeats none.
  Thing* next(const Reader& reader) {
    const std::uint32_t state = reader.block().next_state();
    return state < things_.size() ? &things_[state] : nullptr;
  }

  // Of the call of the last action. Null: it cannot be repeated, or there are too many. Call it behind each
  // Reader::next().
  Thing* last(const Reader& reader) {
    if (block_ != reader.block_number()) {
      block_ = reader.block_number();
      things_.clear();
    }
    const std::uint32_t state = reader.block().last_state();
    if (state >= most) return nullptr;
    if (state >= things_.size()) things_.resize(state + 1);
    return &things_[state];
  }

 private:
  static constexpr std::size_t most = 256;

  std::vector<Thing> things_;  // by state of the block
  std::size_t block_ = 0;
};

}  // namespace rehearse::trace::rtrace
