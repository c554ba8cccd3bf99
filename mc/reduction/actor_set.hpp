// SPDX-License-Identifier: MIT
//
// A set of actors with fast access to the lowest member.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace rehearse::mc::reduction {

class ActorSet {
 public:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  explicit ActorSet(std::uint32_t actors) : actors_(actors), words_((actors + 63) / 64) { add_all(); }

  void add(std::uint32_t actor) { words_[actor / 64] |= bit(actor); }
  void remove(std::uint32_t actor) { words_[actor / 64] &= ~bit(actor); }
  void add_all() {
    for (std::uint64_t& word : words_) word = ~std::uint64_t{0};
    if (actors_ % 64 != 0) words_.back() = bit(actors_ % 64) - 1;
  }
  std::uint32_t lowest() const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i] != 0)
        return static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(words_[i]));
    return nobody;
  }

 private:
  static std::uint64_t bit(std::uint32_t actor) { return std::uint64_t{1} << (actor % 64); }

  std::uint32_t actors_;
  std::vector<std::uint64_t> words_;
};

}  // namespace rehearse::mc::reduction
