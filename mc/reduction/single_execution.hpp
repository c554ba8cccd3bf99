// SPDX-License-Identifier: MIT
//
// Grows one execution. Chance or a Guide makes the choices; none is undone.
#pragma once

#include <cstdint>
#include <functional>

#include "mc/reduction/execution_builder.hpp"

namespace rehearse::mc::reduction {

class SingleExecution {
 public:
  // Called at intervals, with the number of events so far; false stops.
  using GoesOn = std::function<bool(std::uint64_t events)>;

  SingleExecution(history::History& history, std::uint32_t actors, std::uint32_t polls, GoesOn goes_on)
      : builder_(history, actors, polls), goes_on_(std::move(goes_on)) {}

  // Chooses the observing actors and their options at random: every class is possible. Null: it was stopped, or the
  // choices contradict each other (an actor starves although no receive could take its message). At most once, instead
  // of follow().
  const graph::Graph* walk(SplitMix& chance);

  // The guide makes the choices. Null as for walk(). At most once, instead of walk().
  const graph::Graph* follow(Guide& guide);

  std::uint64_t events() const { return events_; }
  const ExecutionBuilder& builder() const { return builder_; }

 private:
  template <class Observe>
  const graph::Graph* grow(const Observe& observe);

  ExecutionBuilder builder_;
  GoesOn goes_on_;
  std::uint64_t events_ = 0;
};

}  // namespace rehearse::mc::reduction
