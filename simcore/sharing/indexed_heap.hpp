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

  // Whether only the first key has this property; it must hold for the first key.
  template <typename Property>
  bool is_first_alone(const Property& has) const {
    const std::uint32_t end = std::min(size(), arity + 1);
    for (std::uint32_t child = 1; child < end; ++child)
      if (has(heap_[child].key)) return false;
    return true;
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

  // Puts `other` with this key into the place of the thing. Requires: the thing is there, and `other` is not.
  void replace(Places& places, std::uint32_t thing, std::uint32_t other, const Key& key) {
    const std::uint32_t at = places[thing];
    places[thing] = absent;
    if (other >= places.size()) places.resize(other + 1, absent);
    settle(places, at, {key, other});
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

// By date; at the same date by an order number, so that runs are reproducible.
struct DateKey {
  TimePoint date;
  std::uint64_t order = 0;
  bool before(const DateKey& other) const { return date != other.date ? date < other.date : order < other.order; }
};

// By the reading that a clock must reach.
struct TargetKey {
  double target = 0;
  bool before(const TargetKey& other) const { return target < other.target; }
};

// Things by date and order. Things that get the same date one after the other, in ascending order, are a run: only the
// first of a run is in the heap. Ranks in step make long runs, of which each thing then costs constant time. Two runs
// can grow, because flows that are alone and others often take turns.
class DateHeap {
 public:
  bool empty() const { return heap_.empty(); }
  std::uint32_t first() const { return heap_.first(); }
  TimePoint first_date() const { return heap_.first_key().date; }
  bool is_first_alone() const {
    return things_[first()].next == none &&
           heap_.is_first_alone([date = first_date()](const DateKey& key) { return key.date == date; });
  }
  TimePoint date(std::uint32_t thing) const { return things_[thing].key.date; }

  void set(std::uint32_t thing, TimePoint date, std::uint64_t order) {
    if (thing >= things_.size()) things_.resize(thing + 1);
    Thing& entry = things_[thing];
    if (entry.is_there && entry.next == none && entry.previous == none && !joins_run(thing, date, order)) {
      entry.key = {date, order};
      heap_.set(places_, thing, entry.key);
      if (lasts_[0] != thing && lasts_[1] != thing) lasts_[next_last_++ % lasts_.size()] = thing;
      return;
    }
    remove(thing);
    entry = {{date, order}, none, none, true};
    for (std::uint32_t& last : lasts_) {
      if (last == none || things_[last].key.date != date || things_[last].key.order > order) continue;
      things_[last].next = thing;
      entry.previous = last;
      last = thing;
      return;
    }
    heap_.set(places_, thing, entry.key);
    lasts_[next_last_++ % lasts_.size()] = thing;
  }

  // Removes the date of the thing, if it has one.
  void remove(std::uint32_t thing) {
    if (thing >= things_.size() || !things_[thing].is_there) return;
    Thing& entry = things_[thing];
    entry.is_there = false;
    if (entry.next != none) things_[entry.next].previous = entry.previous;
    if (entry.previous != none) things_[entry.previous].next = entry.next;
    else if (entry.next != none) heap_.replace(places_, thing, entry.next, things_[entry.next].key);
    else heap_.remove(places_, thing);
    for (std::uint32_t& last : lasts_)
      if (last == thing) last = entry.previous;
  }

 private:
  // Whether a run can grow by the thing.
  bool joins_run(std::uint32_t thing, TimePoint date, std::uint64_t order) const {
    for (const std::uint32_t last : lasts_)
      if (last != none && last != thing && things_[last].key.date == date && things_[last].key.order <= order)
        return true;
    return false;
  }

  static constexpr std::uint32_t none = ~0u;
  struct Thing {
    DateKey key;
    std::uint32_t next = none;  // of its run
    std::uint32_t previous = none;
    bool is_there = false;
  };

  IndexedHeap<DateKey> heap_;
  Places places_;
  std::vector<Thing> things_;
  std::array<std::uint32_t, 2> lasts_{none, none};  // the last things of the runs that can grow
  std::uint32_t next_last_ = 0;                     // whose place the next run takes
};

using TargetHeap = IndexedHeap<TargetKey>;

}  // namespace rehearse::sharing
