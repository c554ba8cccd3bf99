// SPDX-License-Identifier: MIT
//
// Interrupts ranks that never reach their next Operation, or that exhaust the memory of the machine before.
//
// Also interrupts the running rank when the driver stops the run, and ends turns of threads (thread_turns.hpp).
//
// Method:  a timer of the process sends a signal at intervals; its handler checks whether a rank is still in the same
//          step as at the last signal. A rank over its limits is interrupted in its own code, if it gets there within a
//          second: in code of a library it may hold locks that others need.
// Time:    of the processor. A rank that waits for an event outside of the process, which will never come, has the same
//          limit in wall-clock time.
// Threads: the signal goes to the thread that created the object. One at a time per process; forked processes do not
//          inherit it.
#pragma once

#include <signal.h>
#include <time.h>

#include <atomic>
#include <cstdint>

#include "smpi/process.hpp"
#include "smpi/process/thread_turns.hpp"

namespace rehearse::smpi {

// The data of the signal handler.
struct StepClock {
  void begin_step() { step.store(step.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

  StepLimits limits;
  std::atomic<std::uint64_t> step = 0;  // counted when a rank begins to run
  std::uint64_t seen_step = 0;          // at the last signal
  double seen_wall = 0, seen_processor = 0;
  std::uint64_t seen_bytes = 0;  // memory of the process at that time
  double given_up_wall = 0;      // when the handler first saw the stop of the run; 0: not yet
  ThreadTurn turn;
  bool is_often = false;  // the timer has the period that turns of threads need
  timer_t timer = {};
  int deferred_interrupts = 0;  // number of signals that found the rank over its limits but not in its own code
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
  pid_t process_ = 0;  // the owner of the timer
  struct sigaction previous_ = {};
};

}  // namespace rehearse::smpi
