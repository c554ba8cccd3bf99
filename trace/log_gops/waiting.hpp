// SPDX-License-Identifier: MIT
//
// Events that wait for the same processor and port of a rank.
//
// An event that finds them busy is tried again when they are free; of several, at the same date, in their order. So
// only the first one has to be in the queue: no other one can begin before it. This keeps the work for n events that
// wait for each other at n log n; trying all of them again each time needs n^2.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "trace/log_gops/progress.hpp"

namespace rehearse::trace::log_gops {

class WaitingEvents {
 public:
  struct Waiting {
    std::uint32_t order = 0;
    std::uint32_t what = 0;
    auto operator<=>(const Waiting&) const = default;
  };

  bool empty() const { return first_ == sequence_.size() && others_.empty(); }

  void add(Waiting event) {
    if (first_ == sequence_.size() || sequence_.back() < event) {
      sequence_.push_back(event);
    } else {
      others_.push_back(event);
      std::ranges::push_heap(others_, std::greater<>());
    }
  }

  // The first one.
  Waiting take() {
    const bool in_sequence = others_.empty() || (first_ != sequence_.size() && sequence_[first_] < others_.front());
    if (in_sequence) {
      const Waiting first = sequence_[first_++];
      if (first_ == sequence_.size() || (first_ > 1024 && 2 * first_ > sequence_.size())) forget_taken();
      return first;
    }
    std::ranges::pop_heap(others_, std::greater<>());
    const Waiting first = others_.back();
    others_.pop_back();
    return first;
  }

 private:
  void forget_taken() {
    sequence_.erase(sequence_.begin(), sequence_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  std::vector<Waiting> sequence_;  // in order: most events come like that
  std::size_t first_ = 0;          // of those in `sequence_` that were not taken
  std::vector<Waiting> others_;    // a heap
};

}  // namespace rehearse::trace::log_gops
