// SPDX-License-Identifier: MIT
//
// The steps that lead to a finding in one order, with as few switches between actors as causality permits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mc/graph/graph.hpp"

namespace rehearse::mc::counterexample {

// Events of each actor, from its first: so many.
using Prefix = std::vector<std::uint32_t>;

// What the first `of[a]` events of the actors `ends` depend on, within `all`.
Prefix past_of(const graph::Graph& graph, std::span<const std::uint32_t> ends, const Prefix& all);

struct Line {
  std::vector<graph::EventRef> events;
  std::uint32_t switches = 0;
  bool is_least = false;  // fewer are not possible; false: not known
};

// The prefix must be closed: nothing in it depends on what is not.
Line line_up(const graph::Graph& graph, const Prefix& prefix);

}  // namespace rehearse::mc::counterexample
