// SPDX-License-Identifier: MIT
//
// Events of one actor in ascending order. Most are added at the end and removed at the front, because they are open
// events. To add or remove one takes constant time at either end, elsewhere time proportional to the distance to the
// nearer end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simcore/support/assert.hpp"

namespace rehearse::mc::graph {

using EventIndex = std::uint32_t;

class SortedEvents {
 public:
  using const_iterator = std::vector<EventIndex>::const_iterator;

  const_iterator begin() const { return events_.begin() + static_cast<std::ptrdiff_t>(head_); }
  const_iterator end() const { return events_.end(); }
  bool empty() const { return head_ == events_.size(); }
  EventIndex front() const { return events_[head_]; }

  // Adds an event that is after all others.
  void add(EventIndex event) {
    if (head_ * 2 > events_.size()) compact();
    events_.push_back(event);
  }
  // Removes the last event.
  void remove_last() { events_.pop_back(); }

  void insert(EventIndex event) {
    const auto at = std::upper_bound(first(), events_.end(), event);
    if (head_ == 0 || at - first() > events_.end() - at) {
      events_.insert(at, event);
      return;
    }
    std::move(first(), at, first() - 1);
    --head_;
    *(at - 1) = event;
  }

  void erase(EventIndex event) {
    const auto at = std::lower_bound(first(), events_.end(), event);
    REHEARSE_ASSERT(at != events_.end() && *at == event, "what is decided was open");
    if (at - first() > events_.end() - at) {
      events_.erase(at);
      return;
    }
    std::move_backward(first(), at, at + 1);
    ++head_;
  }

 private:
  std::vector<EventIndex>::iterator first() { return events_.begin() + static_cast<std::ptrdiff_t>(head_); }
  void compact() {
    events_.erase(events_.begin(), first());
    head_ = 0;
  }

  std::vector<EventIndex> events_;
  std::size_t head_ = 0;  // number of removed events at the front
};

}  // namespace rehearse::mc::graph
