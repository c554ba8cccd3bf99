// SPDX-License-Identifier: MIT
//
// Finds numbers by name without a second copy of the names: a hash table of numbers, 8 bytes each.
//
// Shape: open addressing with linear probing; the caller provides the name of a number.
// Note:  no order depends on the hashes. The hash function is part of this file, so it never changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "simcore/support/hash.hpp"

namespace rehearse::platform {

class NameIndex {
 public:
  template <class NameOf>
  std::optional<std::uint32_t> find(std::string_view name, NameOf name_of) const {
    if (slots_.empty()) return std::nullopt;
    for (std::size_t at = hash(name) & mask();; at = (at + 1) & mask()) {
      if (slots_[at] == empty) return std::nullopt;
      if (name_of(slots_[at]) == name) return slots_[at];
    }
  }

  // Requires: the table has no number of that name. Calls name_of for the existing numbers when the table grows.
  template <class NameOf>
  void add(std::string_view name, std::uint32_t number, NameOf name_of) {
    if ((size_ + 1) * 3 > slots_.size() * 2) grow(slots_.empty() ? 16 : slots_.size() * 2, name_of);
    insert(name, number);
    ++size_;
  }

  template <class NameOf>
  void reserve(std::size_t count, NameOf name_of) {
    std::size_t slots = slots_.empty() ? 16 : slots_.size();
    while (count * 3 > slots * 2) slots *= 2;
    if (slots > slots_.size()) grow(slots, name_of);
  }

 private:
  static constexpr std::uint32_t empty = ~0u;

  static std::size_t hash(std::string_view name) { return hash_in_memory(name.data(), name.size()); }
  std::size_t mask() const { return slots_.size() - 1; }

  void insert(std::string_view name, std::uint32_t number) {
    std::size_t at = hash(name) & mask();
    while (slots_[at] != empty) at = (at + 1) & mask();
    slots_[at] = number;
  }

  template <class NameOf>
  void grow(std::size_t slots, NameOf name_of) {
    const std::vector<std::uint32_t> old = std::move(slots_);
    slots_.assign(slots, empty);
    for (const std::uint32_t number : old)
      if (number != empty) insert(name_of(number), number);
  }

  std::vector<std::uint32_t> slots_;
  std::size_t size_ = 0;
};

}  // namespace rehearse::platform
