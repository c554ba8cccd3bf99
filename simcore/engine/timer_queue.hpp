// SPDX-License-Identifier: MIT
//
// Future events of the engine with dates of their own.
//
// Order: by date; at one date, in the order in which they were added.
// Cost:  timers that are added one after the other with the same date are a run, of which only the first is in a heap.
//        Actors in step make long runs, of which each timer then costs constant time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simcore/time.hpp"

namespace rehearse::engine {

// T has `TimePoint date`.
template <class T>
class TimerQueue {
 public:
  bool empty() const { return heap_.empty(); }
  // Requires: not empty.
  const T& front() const {
    const Run& run = runs_[heap_.front().run];
    return run.timers[run.first];
  }

  void push(const T& timer) {
    if (last_ == none || runs_[last_].timers.front().date != timer.date) begin_run(timer.date);
    runs_[last_].timers.push_back(timer);
  }

  // Removes the first one. Requires: not empty.
  T pop() {
    const std::uint32_t index = heap_.front().run;
    Run& run = runs_[index];
    const T timer = run.timers[run.first++];
    if (run.first == run.timers.size()) end_first_run();
    return timer;
  }

 private:
  static constexpr std::uint32_t none = ~0u;
  static constexpr std::size_t kept_timers = 64;  // room that an unused run keeps
  struct Run {
    std::vector<T> timers;
    std::size_t first = 0;  // of those that remain
  };
  struct Entry {
    TimePoint date;
    std::uint64_t order = 0;
    std::uint32_t run = 0;
    bool operator<(const Entry& other) const {  // the earliest is the greatest in the heap
      return date != other.date ? date > other.date : order > other.order;
    }
  };

  void begin_run(TimePoint date) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(runs_.size()));
      runs_.emplace_back();
    }
    last_ = free_.back();
    free_.pop_back();
    heap_.push_back({date, runs_made_++, last_});
    std::push_heap(heap_.begin(), heap_.end());
  }

  void end_first_run() {
    const std::uint32_t index = heap_.front().run;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    Run& run = runs_[index];
    run.timers.clear();
    if (run.timers.capacity() > kept_timers) run.timers.shrink_to_fit();
    run.first = 0;
    free_.push_back(index);
    if (last_ == index) last_ = none;
  }

  std::vector<Run> runs_;
  std::vector<std::uint32_t> free_;
  std::vector<Entry> heap_;    // of runs
  std::uint32_t last_ = none;  // the run that can grow
  std::uint64_t runs_made_ = 0;
};

}  // namespace rehearse::engine
