// SPDX-License-Identifier: MIT
//
// The events of a simulation at hand: those of the current date, in their order, and a queue of later ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simcore/support/large_vector.hpp"
#include "trace/log_gops/date_queue.hpp"

namespace rehearse::trace::log_gops {

class EventQueue {
 public:
  std::uint64_t now() const { return now_; }

  // Goes to the next date, if no event of this one is left. False: there are no more.
  bool has_next() { return at_ < batch_.size() || take_batch(); }
  Event take() { return batch_[at_++]; }
  // The event of this date that comes so far behind the next one; null: there is none.
  const Event* behind_next(std::size_t by) const { return at_ + by < batch_.size() ? &batch_[at_ + by] : nullptr; }

  // Not before now().
  void push(const Event& event) {
    if (event.date != now_) return queue_.push(event);
    if (batch_.empty() || batch_.back().order < event.order) return batch_.push_back(event);
    const auto later = std::ranges::upper_bound(batch_.begin() + static_cast<std::ptrdiff_t>(at_), batch_.end(),
                                                event.order, {}, &Event::order);
    batch_.insert(later, event);
  }

 private:
  bool take_batch() {
    at_ = 0;
    if (!queue_.take(batch_)) return false;
    now_ = batch_.front().date;
    return true;
  }

  DateQueue queue_;
  LargeVector<Event> batch_;  // of the current date
  std::size_t at_ = 0;        // the next one of them
  std::uint64_t now_ = 0;
};

}  // namespace rehearse::trace::log_gops
