// SPDX-License-Identifier: MIT
//
// The known classes of executions, with data. There may be many millions: 16 bytes each, a third of them free.
//
// Shape: open addressing with linear probing. Two bits of a hash give way to the marks; no marks: the slot is free.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mc/history/history.hpp"

namespace rehearse::mc::verdict {

using history::Hash128;

class ClassSet {
 public:
  static constexpr std::uint64_t counted = 1, explored = 2;

  // Adds the marks; which of them are new.
  std::uint64_t mark(const Hash128& key, std::uint64_t marks) {
    if (used_ >= slots_.size() / 3 * 2) grow();
    Hash128& slot = find(key);
    used_ += slot.low & all ? 0 : 1;
    const std::uint64_t fresh = marks & ~slot.low;
    slot = {(key.low & ~all) | (slot.low & all) | marks, key.high};
    return fresh;
  }

  // The place of this one will be looked at soon: where there are millions it is in no cache.
  void expect(const Hash128& key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[place_of(key)], 1);
  }

  std::uint64_t size() const { return used_; }

  // Calls visit(Hash128) with each key, whose two lowest bits are its marks; mark(key, these) puts it back.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Hash128& slot : slots_)
      if (slot.low & all) visit(slot);
  }
  static std::uint64_t marks_of(const Hash128& kept) { return kept.low & all; }

 private:
  static constexpr std::uint64_t all = counted | explored;
  static constexpr std::size_t first_size = 1024;

  // The high half selects it: as a fraction of the table, so that its size need not be a power of two.
  std::size_t place_of(const Hash128& key) const {
    return static_cast<std::size_t>(static_cast<unsigned __int128>(key.high) * slots_.size() >> 64);
  }

  Hash128& find(const Hash128& key) {
    std::size_t at = place_of(key);
    while ((slots_[at].low & all) != 0 && (slots_[at].high != key.high || ((slots_[at].low ^ key.low) & ~all) != 0))
      at = at + 1 == slots_.size() ? 0 : at + 1;
    return slots_[at];
  }

  void grow() {
    std::vector<Hash128> old(slots_.empty() ? first_size : slots_.size() / 2 * 3);
    old.swap(slots_);
    for (const Hash128& slot : old)
      if (slot.low & all) find(slot) = slot;
  }

  std::vector<Hash128> slots_;
  std::uint64_t used_ = 0;
};

}  // namespace rehearse::mc::verdict
