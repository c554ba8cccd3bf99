// SPDX-License-Identifier: MIT
//
// The queues of the ranks that have run ahead, and an empty one for the rank that runs next.
//
// Ownership: owns all queues. A rank has a queue until its last operation is shown.
// Threads:   none.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simcore/ahead_queue.hpp"
#include "simcore/program.hpp"

namespace rehearse::smpi {

struct NotedCall {
  const void* place = nullptr;  // LaunchSpec::call_site
  std::uint64_t function = 0;   // LaunchSpec::call_function
};

class AheadQueues {
 public:
  // Ranks may run ahead from now on. The callbacks find a rank's call from its slot; either may be null.
  void allow(const RunAhead& limits, AheadQueue::FindPlace place, AheadQueue::FindFunction function) {
    place_ = place;
    function_ = function;
    notes_calls_ = limits.with_sites;
    add(limits);
  }
  // Whether calls are noted, also those of ranks that stop.
  bool notes_calls() const { return notes_calls_; }

  // For the rank that runs next. Null: ranks do not run ahead.
  AheadQueue* next() const { return empty_.empty() ? nullptr : empty_.back(); }
  // Takes next() away, for a rank that has run ahead.
  AheadQueue* take() {
    AheadQueue* taken = empty_.back();
    empty_.pop_back();
    if (empty_.empty()) add(taken->limits());
    return taken;
  }
  void give_back(AheadQueue* queue) { empty_.push_back(queue); }

 private:
  void add(const RunAhead& limits) {
    all_.push_back(std::make_unique<AheadQueue>(limits));
    if (notes_calls_) all_.back()->note_calls(place_, function_);
    empty_.push_back(all_.back().get());
  }

  std::vector<std::unique_ptr<AheadQueue>> all_;
  std::vector<AheadQueue*> empty_;
  AheadQueue::FindPlace place_ = nullptr;
  AheadQueue::FindFunction function_ = nullptr;
  bool notes_calls_ = false;
};

}  // namespace rehearse::smpi
