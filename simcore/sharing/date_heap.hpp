// SPDX-License-Identifier: MIT
//
// The next date among things that each have one date, which may change: a binary heap that knows
// where each thing is.
//
// Order:   by date, then by the order number given with it, so that runs repeat.
// Shape:   things are small indices.
// Threads: none.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/support/assert.hpp"
#include "simcore/time.hpp"

namespace rehearse::sharing {

class DateHeap {
 public:
  bool empty() const { return heap_.empty(); }
  std::uint32_t first() const { return heap_.front().thing; }
  TimePoint first_date() const { return heap_.front().date; }

  // Gives the thing a date, a first one or another one.
  void set(std::uint32_t thing, TimePoint date, std::uint64_t order) {
    if (thing >= place_.size()) place_.resize(thing + 1, absent);
    std::uint32_t at = place_[thing];
    if (at == absent) {
      at = static_cast<std::uint32_t>(heap_.size());
      heap_.push_back({});
    }
    settle(at, {date, order, thing});
  }

  void remove_first() {
    REHEARSE_ASSERT(!heap_.empty(), "a first date exists");
    remove(heap_.front().thing);
  }

  // The thing has no date any more; it need not have had one.
  void remove(std::uint32_t thing) {
    if (!contains(thing)) return;
    const std::uint32_t at = place_[thing];
    place_[thing] = absent;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (last.thing != thing) settle(at, last);
  }

  bool contains(std::uint32_t thing) const {
    return thing < place_.size() && place_[thing] != absent;
  }
  TimePoint date(std::uint32_t thing) const { return heap_[place_[thing]].date; }

 private:
  struct Entry {
    TimePoint date;
    std::uint64_t order = 0;
    std::uint32_t thing = 0;
    bool before(const Entry& other) const {
      return date != other.date ? date < other.date : order < other.order;
    }
  };
  static constexpr std::uint32_t absent = ~0u;

  void put(std::uint32_t at, const Entry& entry) {
    heap_[at] = entry;
    place_[entry.thing] = at;
  }

  // Puts the entry where it belongs, starting from the hole at `at`.
  void settle(std::uint32_t at, const Entry& entry) {
    while (at > 0 && entry.before(heap_[(at - 1) / 2])) {
      put(at, heap_[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    const auto size = static_cast<std::uint32_t>(heap_.size());
    for (std::uint32_t child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap_[child + 1].before(heap_[child])) ++child;
      if (!heap_[child].before(entry)) break;
      put(at, heap_[child]);
      at = child;
    }
    put(at, entry);
  }

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> place_;
};

}  // namespace rehearse::sharing
