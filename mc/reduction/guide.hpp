// SPDX-License-Identifier: MIT
//
// Chooses among the ways to continue one execution: see SingleExecution::follow.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "mc/graph/graph.hpp"

namespace rehearse::mc::reduction {

// A choice: the next observation of an actor, or the decision about one of its receives.
struct Place {
  std::uint32_t actor = 0;
  graph::EventKind kind = graph::EventKind::observe;  // or decide
  RequestId decides;                                  // kind decide: the receive
};

class Guide {
 public:
  virtual ~Guide() = default;

  // The index of an option, or nothing to ask again when more events have happened. The options are not empty and have
  // a fixed order; an exploration takes the first one first. `is_last`: nothing else can happen, so the guide must
  // choose one.
  virtual std::optional<std::size_t> choose(const graph::Graph& graph, const Place& place,
                                            std::span<const graph::Option> options, bool is_last) = 0;

  // Whether the actor's poll gets the answer "no" although the bound on polls does not permit it. Asked when nothing
  // else can happen.
  virtual bool refuses(const graph::Graph& graph, std::uint32_t actor) = 0;
};

}  // namespace rehearse::mc::reduction
