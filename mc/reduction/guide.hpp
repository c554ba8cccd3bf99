// SPDX-License-Identifier: MIT
//
// Chooses one of several ways to continue an execution: see SingleExecution::follow.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "mc/graph/graph.hpp"

namespace rehearse::mc::reduction {

// What an actor is about to observe, or which of its receives is about to be decided.
struct Place {
  std::uint32_t actor = 0;
  graph::EventKind kind = graph::EventKind::observe;  // or decide
  RequestId decides;                                  // kind decide: the receive
};

class Guide {
 public:
  virtual ~Guide() = default;

  // One of the options, which are not empty and in a fixed order, what an exploration would take first in front; or
  // nothing: the actor is asked again when more has happened. `is_last`: nothing else can happen, and one of them has
  // to be taken.
  virtual std::optional<std::size_t> choose(const graph::Graph& graph, const Place& place,
                                            std::span<const graph::Option> options, bool is_last) = 0;

  // Whether the actor's poll is to get the answer "no" although fairness would not allow it, when nothing else can
  // happen.
  virtual bool refuses(const graph::Graph& graph, std::uint32_t actor) = 0;
};

}  // namespace rehearse::mc::reduction
