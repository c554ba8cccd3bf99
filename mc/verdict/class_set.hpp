// SPDX-License-Identifier: MIT
//
// The set of known classes of executions, with marks. Made for many millions: a slot has 16 bytes, and at least a third
// of the slots are free.
//
// Shape: open addressing with linear probing. The marks take the place of the two lowest bits of a hash; a slot without
// marks is free.
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

  // Adds the marks to the class. Returns those that are new.
  std::uint64_t mark(const Hash128& key, std::uint64_t marks) {
    if (used_ >= slots_.size() / 3 * 2) grow();
    Hash128& slot = find(key);
    used_ += slot.low & all ? 0 : 1;
    const std::uint64_t fresh = marks & ~slot.low;
    slot = {(key.low & ~all) | (slot.low & all) | marks, key.high};
    return fresh;
  }

  // mark() will be called for this class soon: prefetches its slot, which is in no cache if the set is large.
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

  // The high half of the key selects the slot, as a fraction of the table, so that any size of the table is possible.
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
