// SPDX-License-Identifier: MIT
//
// Heaps that know the place of each item, so that an item can get a new key or be removed.
//
// Shape:   things are small indices. Their places are in a table that several heaps may share, as long as each thing is
//          in at most one of them.
// Threads: none.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "simcore/support/assert.hpp"
#include "simcore/time.hpp"

namespace rehearse::sharing {

// The place of each thing in its heap.
using Places = std::vector<std::uint32_t>;

// Key: copyable; its `before` is a strict order.
template <typename Key>
class IndexedHeap {
 public:
  bool empty() const { return heap_.empty(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(heap_.size()); }
  std::uint32_t first() const { return heap_.front().thing; }
  const Key& first_key() const { return heap_.front().key; }
  const Key& key(const Places& places, std::uint32_t thing) const { return heap_[places[thing]].key; }

  static bool is_placed(const Places& places, std::uint32_t thing) {
    return thing < places.size() && places[thing] != absent;
  }

  // Sets the key of the thing; adds the thing if it is not there.
  void set(Places& places, std::uint32_t thing, const Key& key) {
    if (thing >= places.size()) places.resize(thing + 1, absent);
    std::uint32_t at = places[thing];
    if (at == absent) {
      at = size();
      heap_.push_back({});
    }
    settle(places, at, {key, thing});
  }

  // Requires: the thing is there.
  void remove(Places& places, std::uint32_t thing) {
    const std::uint32_t at = places[thing];
    REHEARSE_ASSERT(at < heap_.size() && heap_[at].thing == thing, "the thing is in this heap");
    places[thing] = absent;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (last.thing != thing) settle(places, at, last);
  }

  // Changes all keys in a way that keeps their order.
  template <typename Change>
  void change_all(const Change& change) {
    for (Entry& entry : heap_) change(entry.key);
  }

 private:
  struct Entry {
    Key key;
    std::uint32_t thing = 0;
  };
  static constexpr std::uint32_t absent = ~0u;
  static constexpr std::uint32_t arity = 4;  // takes less time than 2: fewer levels, and children are neighbours

  void put(Places& places, std::uint32_t at, const Entry& entry) {
    heap_[at] = entry;
    places[entry.thing] = at;
  }

  // Puts the entry into its place, starting from the hole at `at`.
  void settle(Places& places, std::uint32_t at, const Entry& entry) {
    while (at > 0 && entry.key.before(heap_[(at - 1) / arity].key)) {
      put(places, at, heap_[(at - 1) / arity]);
      at = (at - 1) / arity;
    }
    for (std::uint32_t child = arity * at + 1; child < size(); child = arity * at + 1) {
      const std::uint32_t end = std::min(size(), child + arity);
      std::uint32_t least = child;
      while (++child < end)
        if (heap_[child].key.before(heap_[least].key)) least = child;
      if (!heap_[least].key.before(entry.key)) break;
      put(places, at, heap_[least]);
      at = least;
    }
    put(places, at, entry);
  }

  std::vector<Entry> heap_;
};

// By the reading that a clock must reach.
struct TargetKey {
  double target = 0;
  bool before(const TargetKey& other) const { return target < other.target; }
};

using TargetHeap = IndexedHeap<TargetKey>;

}  // namespace rehearse::sharing
