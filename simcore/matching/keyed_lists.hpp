// SPDX-License-Identifier: MIT
//
// Lists by key. Look-up takes constant expected time, and empty lists take no memory.
//
// Shape:   an open-addressed table with at least twice as many places as keys. Removal moves later keys back, so that
//          no tombstones are needed.
// Threads: none.
#pragma once

#include <cstdint>
#include <vector>

namespace rehearse::matching {

inline constexpr std::uint32_t nowhere = ~0u;

// A doubly linked list by indices. The items contain the links.
struct List {
  std::uint32_t first = nowhere;
  std::uint32_t last = nowhere;
  bool empty() const { return first == nowhere; }
};

class KeyedLists {
 public:
  // The list of the key, or null. Valid until lists are made or removed.
  List* find(std::uint64_t key) {
    if (used_ == 0) return nullptr;
    const std::size_t place = place_of(key);
    return slots_[place].list.empty() ? nullptr : &slots_[place].list;
  }

  // The list of the key, which may be new. The caller must then add an item to it.
  List& make(std::uint64_t key) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(key)];
    if (slot.list.empty()) {
      slot.key = key;
      ++used_;
    }
    return slot.list;
  }

  // Removes the list of the key, which must be empty.
  void remove(std::uint64_t key) {
    std::size_t hole = home_of(key);
    while (slots_[hole].key != key) hole = after(hole);
    --used_;
    for (std::size_t at = after(hole); !slots_[at].list.empty(); at = after(at)) {
      // A key must not move before its home place.
      const std::size_t from_home = (at - home_of(slots_[at].key)) & mask();
      if (from_home < ((at - hole) & mask())) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = Slot{};
  }

  void clear() {
    slots_.clear();
    used_ = 0;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    List list;
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t after(std::size_t place) const { return (place + 1) & mask(); }
  std::size_t home_of(std::uint64_t key) const {
    const std::uint64_t mixed = (key ^ (key >> 29)) * 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>(mixed >> 32) & mask();
  }
  std::size_t place_of(std::uint64_t key) const {
    std::size_t place = home_of(key);
    while (!slots_[place].list.empty() && slots_[place].key != key) place = after(place);
    return place;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 8 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (!slot.list.empty()) slots_[place_of(slot.key)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace rehearse::matching
