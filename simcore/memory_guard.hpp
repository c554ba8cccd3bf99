// SPDX-License-Identifier: MIT
//
// Prevents that code of one actor accesses the memory of others: their memory is closed before it runs.
//
// Shape:   memories are closed as late as can be, when another actor is about to run, and opened as soon as somebody
//          wants to use them: an actor that runs repeatedly costs nothing.
// Policy:  where closing and opening take more than a time that is granted and a sixth of the rest, which they do where
//          actors with much memory, or that do next to nothing, take turns, it is left out from time to time.
// Errors:  where the kernel refuses (too many mappings) all memories stay open from then on; has_failed() says so.
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

  // Takes charge of a memory, which is open.
  void add(ActorMemory& memory);

  // It may be used from now on.
  void open(ActorMemory& memory) {
    if (!memory.is_open()) open_again(memory);
  }

  // Of these memories only this one, which is open, may be used from now on.
  void open_only(const ActorMemory& memory) {
    if (open_.size() != 1) close_all_but(memory);
  }

  // From now on it is never left out: somebody was caught, and is to be caught again.
  void be_strict() { is_strict_ = true; }

  bool has_failed() const { return has_failed_; }
  bool was_left_out() const { return was_left_out_; }  // at least once

 private:
  void open_again(ActorMemory& memory);
  void close_all_but(const ActorMemory& memory);
  bool is_dear(Clock::time_point now) const;
  void fail();

  std::vector<ActorMemory*> all_, open_;
  bool is_strict_ = false, has_failed_ = false, was_left_out_ = false;
  Clock::duration granted_;
  Clock::time_point begin_ = Clock::now();
  Clock::duration taken_{};
};

}  // namespace rehearse
