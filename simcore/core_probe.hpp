// SPDX-License-Identifier: MIT
//
// Finds out whether this thread has its core for itself: the time of a short loop, against the fastest time of that
// loop in this process. A process on the other hardware thread of the core, which processor time does not show, makes
// the loop 1.6 to 2 times slower.
//
// Limits:  it does not notice others that only share caches or memory bandwidth.
// Cost:    less than a microsecond for each probe, and about 50 microseconds once.
// Threads: only the thread that made it.
#pragma once

#include <cstdint>

namespace rehearse {

class CoreProbe {
 public:
  CoreProbe();

  // The loop takes 25 % longer than the fastest one.
  bool is_disturbed();

 private:
  std::uint64_t fastest_;  // ticks of the time stamp counter
};

}  // namespace rehearse
