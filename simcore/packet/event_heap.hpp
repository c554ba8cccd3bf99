// SPDX-License-Identifier: MIT
//
// The earliest of many dates. Events at the same date have the order in which they were asked for.
//
// Shape: a heap in which each node has four children, which share a cache line.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/packet/packet.hpp"

namespace rehearse::packet {

struct Event {
  Picoseconds date;
  std::uint32_t order;  // wraps around; compared by difference
  std::uint32_t subject;

  bool is_before(const Event& other) const {
    return date < other.date || (date == other.date && static_cast<std::int32_t>(order - other.order) < 0);
  }
};

class EventHeap {
 public:
  bool empty() const { return events_.empty(); }
  std::size_t size() const { return events_.size(); }
  const Event& top() const { return events_.front(); }
  Picoseconds next_date() const { return events_.empty() ? no_date : events_.front().date; }

  void push(const Event& event) {
    events_.push_back(event);
    std::size_t at = events_.size() - 1;
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!event.is_before(events_[parent])) break;
      events_[at] = events_[parent];
      at = parent;
    }
    events_[at] = event;
  }

  void pop() {
    const Event last = events_.back();
    events_.pop_back();
    if (!events_.empty()) sink(last);
  }

  // As pop() and push(), in one pass.
  void replace_top(const Event& event) { sink(event); }

  const std::vector<Event>& all() const { return events_; }
  void clear() { events_.clear(); }

 private:
  void sink(const Event& event) {
    const std::size_t size = events_.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < size; child = 4 * at + 1) {
      const std::size_t end = child + 4 < size ? child + 4 : size;
      std::size_t least = child;
      for (std::size_t other = child + 1; other < end; ++other)
        if (events_[other].is_before(events_[least])) least = other;
      if (!events_[least].is_before(event)) break;
      events_[at] = events_[least];
      at = least;
    }
    events_[at] = event;
  }

  std::vector<Event> events_;
};

}  // namespace rehearse::packet
