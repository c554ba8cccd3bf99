// SPDX-License-Identifier: MIT
//
// Grows one execution, in which chance or a Guide chooses where there is a choice. Nothing is taken back.
#pragma once

#include <cstdint>
#include <functional>

#include "mc/reduction/execution_builder.hpp"

namespace rehearse::mc::reduction {

class SingleExecution {
 public:
  // Asked from time to time, with the number of events so far; false stops.
  using GoesOn = std::function<bool(std::uint64_t events)>;

  SingleExecution(history::History& history, std::uint32_t actors, std::uint32_t polls, GoesOn goes_on)
      : builder_(history, actors, polls), goes_on_(std::move(goes_on)) {}

  // Chance chooses who observes next and what: every class can come out. Null: chance led nowhere (an actor was to wait
  // forever for a message that nothing kept from it) or was stopped. At most once, instead of follow().
  const graph::Graph* walk(SplitMix& chance);

  // The guide chooses. Null: it led nowhere, or was stopped. At most once, instead of walk().
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
