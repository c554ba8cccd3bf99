// SPDX-License-Identifier: MIT
//
// The hash of a sequence of words. Collects a few words and hashes them together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mc/history/hash128.hpp"

namespace rehearse::mc::history {

class Words {
 public:
  template <class... T>
  void add(T... value) {
    if (count_ + sizeof...(T) > words_.size()) {
      const Hash128 so_far = hash();
      words_[0] = so_far.low;
      words_[1] = so_far.high;
      count_ = 2;
    }
    ((words_[count_++] = static_cast<std::uint64_t>(value)), ...);
  }
  void add_hash(const Hash128& h) { add(h.low, h.high); }
  void add_text(std::string_view text) { add_hash(hash_bytes(text.data(), text.size())); }
  Hash128 hash() const { return hash_bytes(words_.data(), count_ * sizeof words_[0]); }

 private:
  std::array<std::uint64_t, 24> words_;
  std::size_t count_ = 0;
};

}  // namespace rehearse::mc::history
