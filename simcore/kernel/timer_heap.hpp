// SPDX-License-Identifier: MIT
//
// Alarms at dates: a heap with four children per node, which knows the place of each alarm. It allocates memory only to
// grow beyond its greatest size so far.
//
// Order:     by date, then in the order in which they were set.
// Ownership: none; the owner of a Timer cancels it before its destruction.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/support/assert.hpp"
#include "simcore/time.hpp"

namespace rehearse::sim::kernel {

// The purpose of an alarm, which determines how its owner is notified.
enum class TimerKind : std::uint8_t { actor_wakes, actor_is_killed, pause_ends };

struct Timer {
  static constexpr std::uint32_t absent = ~0u;
  std::uint32_t place = absent;
  TimerKind kind;
  explicit Timer(TimerKind k) : kind(k) {}
  bool is_set() const { return place != absent; }
};

class TimerHeap {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  Timer& at(std::size_t i) const { return *heap_[i].timer; }
  TimePoint date_at(std::size_t i) const { return heap_[i].date; }
  Timer& first() const { return *heap_.front().timer; }
  TimePoint first_date() const { return heap_.front().date; }

  void set(Timer& timer, TimePoint date) {
    REHEARSE_ASSERT(!timer.is_set(), "an alarm is set once");
    heap_.push_back({});
    rise(static_cast<std::uint32_t>(heap_.size() - 1), {date, ++set_so_far_, &timer});
  }

  void remove(Timer& timer) {
    const std::uint32_t hole = timer.place;
    timer.place = Timer::absent;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (hole == heap_.size()) return;
    if (hole > 0 && last.before(heap_[(hole - 1) / 4])) rise(hole, last);
    else sink(hole, last);
  }

 private:
  struct Entry {
    TimePoint date;
    std::uint64_t order = 0;
    Timer* timer = nullptr;
    bool before(const Entry& other) const { return date != other.date ? date < other.date : order < other.order; }
  };

  void put(std::uint32_t at, const Entry& entry) {
    heap_[at] = entry;
    entry.timer->place = at;
  }
  void rise(std::uint32_t at, const Entry& entry) {
    while (at > 0) {
      const std::uint32_t parent = (at - 1) / 4;
      if (!entry.before(heap_[parent])) break;
      put(at, heap_[parent]);
      at = parent;
    }
    put(at, entry);
  }
  void sink(std::uint32_t at, const Entry& entry) {
    const auto size = static_cast<std::uint32_t>(heap_.size());
    while (true) {
      const std::uint32_t first = 4 * at + 1;
      if (first >= size) break;
      std::uint32_t least = first;
      for (std::uint32_t child = first + 1; child < size && child < first + 4; ++child)
        if (heap_[child].before(heap_[least])) least = child;
      if (!heap_[least].before(entry)) break;
      put(at, heap_[least]);
      at = least;
    }
    put(at, entry);
  }

  std::vector<Entry> heap_;
  std::uint64_t set_so_far_ = 0;
};

}  // namespace rehearse::sim::kernel
