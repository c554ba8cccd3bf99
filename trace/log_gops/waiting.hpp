// SPDX-License-Identifier: MIT
//
// Events that wait for the same processor and port of a rank.
//
// An event that finds them busy is tried again when they are free; of several, at the same date, in their order. So only
// the first one has to be in the queue: no other one can begin before it. This keeps the work for n events that wait
// for each other at n log n; trying all of them again each time needs n^2.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
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

  bool empty() const { return heap_.empty(); }

  void add(Waiting event) {
    heap_.push_back(event);
    std::ranges::push_heap(heap_, std::greater<>());
  }

  // The first one.
  Waiting take() {
    std::ranges::pop_heap(heap_, std::greater<>());
    const Waiting first = heap_.back();
    heap_.pop_back();
    return first;
  }

 private:
  std::vector<Waiting> heap_;
};

}  // namespace rehearse::trace::log_gops
