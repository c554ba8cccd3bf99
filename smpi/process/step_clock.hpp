// SPDX-License-Identifier: MIT
//
// Interrupts ranks that never reach their next Operation, or that exhaust the memory of the machine before it.
//
// Also takes the running rank away when whoever drives gives up.
//
// How:     a timer of the process sends a signal from time to time; its handler sees whether a rank still is in the
//          step in which it was the last time. A rank that is over its limits is taken away in its own code, if it
//          comes there within a second: in a library's it may hold what others need.
// Time:    of the processor; a rank that waits for something outside, which will never come, is given as long by the
//          clock on the wall.
// Threads: the signal goes to the thread that made this. One at a time per process; not inherited by forked ones.
#pragma once

#include <signal.h>
#include <time.h>

#include <atomic>
#include <cstdint>

#include "smpi/process.hpp"

namespace rehearse::smpi {

// What the signal handler reads and keeps.
struct StepClock {
  void begin_step() { step.store(step.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

  StepLimits limits;
  std::atomic<std::uint64_t> step = 0;  // counted when a rank begins to run
  std::uint64_t seen_step = 0;          // when the signal came last
  double seen_wall = 0, seen_processor = 0;
  std::uint64_t seen_bytes = 0;  // that the process had then
  double given_up_wall = 0;      // when it was first seen that all is given up; 0: it is not
  int evasions = 0;              // times that the rank was over its limits and not in its own code
};

class StepTimer {
 public:
  explicit StepTimer(const StepLimits& limits);
  ~StepTimer();
  StepTimer(const StepTimer&) = delete;
  StepTimer& operator=(const StepTimer&) = delete;

  StepClock& clock() { return clock_; }

 private:
  StepClock clock_;
  bool goes_ = false;
  timer_t timer_ = {};
  pid_t process_ = 0;  // that has the timer
  struct sigaction previous_ = {};
};

}  // namespace rehearse::smpi
