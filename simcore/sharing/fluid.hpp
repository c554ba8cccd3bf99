// SPDX-License-Identifier: MIT
//
// Activities that take time: a delay during which they use nothing, then an amount of work that
// advances at a fairly shared rate.
//
// Units:   amounts and rates in any unit (bytes and bytes per second, flops and flops per second);
//          dates are integer picoseconds, so each change of a rate rounds once.
// Order:   activities that end at the same date end in the order in which they were started.
// Errors:  an activity that would end after the range of simulated time never ends: next_date() is
//          then `never` although is_busy().
// Threads: none.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "simcore/sharing/date_heap.hpp"
#include "simcore/sharing/fair_sharing.hpp"
#include "simcore/time.hpp"

namespace rehearse::sharing {

inline constexpr TimePoint never{std::numeric_limits<std::int64_t>::max()};

struct Work {
  Duration delay;
  double amount = 0;  // of work; 0: ends after the delay
  double weight = 1;  // FairSharing's
  double bound = unbounded;
  std::span<const Use> uses;
};

class Fluid {
 public:
  ResourceIndex add_resource(double capacity) { return sharing_.add_resource(capacity); }

  // Starts at `now`, which must not be before any date given or reached earlier. What the spans point
  // to must live until the activity has ended. Returns an index that is free again after it ended.
  std::uint32_t start(const Work& work, TimePoint now);

  // The next date at which something happens inside; `never` if nothing will.
  TimePoint next_date();

  // Goes to `now`, at most next_date(), and appends the activities that end there.
  void advance(TimePoint now, std::vector<std::uint32_t>& ended);

  bool is_busy() const { return active_ > 0; }

 private:
  struct Activity {
    Work work;
    double remaining = 0;
    TimePoint updated;  // when `remaining` was true
    double rate = 0;
    std::uint64_t order = 0;
    FlowIndex flow = 0;
    bool is_flowing = false;
  };

  void open(std::uint32_t index, TimePoint now);
  void settle();

  FairSharing sharing_;
  DateHeap dates_;
  std::vector<Activity> activities_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> activity_of_flow_;
  std::uint64_t started_ = 0;
  std::uint32_t active_ = 0;
  TimePoint now_;
  bool is_settled_ = true;
};

}  // namespace rehearse::sharing
