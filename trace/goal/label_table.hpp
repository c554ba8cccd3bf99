// SPDX-License-Identifier: MIT
//
// The labels of one rank's operations. Forgetting all of them for the next rank takes no time.
//
// Ownership: labels point into the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "simcore/support/hash.hpp"

namespace rehearse::trace::goal {

class LabelTable {
 public:
  void clear() {
    ++generation_;
    count_ = 0;
  }

  // Null: there is none.
  const std::uint32_t* find(std::string_view label) const {
    const Entry& entry = entries_[place_of(label)];
    return entry.generation == generation_ ? &entry.operation : nullptr;
  }

  // False: it is there already.
  bool add(std::string_view label, std::uint32_t operation) {
    if (2 * (count_ + 1) > entries_.size()) grow();
    Entry& entry = entries_[place_of(label)];
    if (entry.generation == generation_) return false;
    entry = {label, operation, generation_};
    ++count_;
    return true;
  }

 private:
  struct Entry {
    std::string_view label;
    std::uint32_t operation = 0;
    std::uint32_t generation = 0;
  };

  static std::size_t hash(std::string_view label) {
    StableHash hash;
    hash.add(label);
    return static_cast<std::size_t>(hash.value() ^ hash.value() >> 29);
  }

  // Of the label, or of the free entry that it would get.
  std::size_t place_of(std::string_view label) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t at = hash(label) & mask;
    while (entries_[at].generation == generation_ && entries_[at].label != label) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old)
      if (entry.generation == generation_) entries_[place_of(entry.label)] = entry;
  }

  std::vector<Entry> entries_ = std::vector<Entry>(64);
  std::uint32_t generation_ = 1;
  std::size_t count_ = 0;
};

}  // namespace rehearse::trace::goal
