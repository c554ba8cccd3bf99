// SPDX-License-Identifier: MIT
//
// Prevents accesses of one actor to the memory of others. The guard closes their memory before the actor runs.
//
// Shape:   a memory is closed as late as possible, when another actor is about to run, and opened at its next use. So
//          an actor that runs repeatedly costs nothing.
// Policy:  closing and opening may take the granted time and a sixth of the rest. If they take more, the guard omits
//          them from time to time. This happens when actors with much memory or very short steps alternate.
// Errors:  if the kernel refuses (too many mappings), all memories stay open from then on, and has_failed() is true.
// Ownership: the memories outlive the guard.
// Threads: none.
#pragma once

#include <chrono>
#include <vector>

#include "simcore/actor_memory.hpp"

namespace rehearse {

class MemoryGuard {
 public:
  using Clock = std::chrono::steady_clock;

  explicit MemoryGuard(Clock::duration granted = std::chrono::milliseconds(250)) : granted_(granted) {}

  // Adds an open memory.
  void add(ActorMemory& memory);

  // Opens the memory for use.
  void open(ActorMemory& memory) {
    if (!memory.is_open()) open_again(memory);
  }

  // Closes all memories but this one, which is open.
  void open_only(const ActorMemory& memory) {
    if (open_.size() != 1) close_all_but(memory);
  }

  // From now on the guard omits nothing, so that it detects a known access again.
  void be_strict() { is_strict_ = true; }

  bool has_failed() const { return has_failed_; }
  bool was_left_out() const { return was_left_out_; }  // at least once

 private:
  void open_again(ActorMemory& memory);
  void close_all_but(const ActorMemory& memory);
  bool exceeds_budget(Clock::time_point now) const;
  void fail();

  std::vector<ActorMemory*> all_, open_;
  bool is_strict_ = false, has_failed_ = false, was_left_out_ = false;
  Clock::duration granted_;
  Clock::time_point begin_ = Clock::now();
  Clock::duration taken_{};
};

}  // namespace rehearse
