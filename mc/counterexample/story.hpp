// SPDX-License-Identifier: MIT
//
// The steps that lead to a finding in one order, with as few switches between actors as causality permits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mc/graph/graph.hpp"

namespace rehearse::mc::counterexample {

// For each actor, a number of events from its first one.
using Prefix = std::vector<std::uint32_t>;

// The part of `all` on which the last events of the actors `ends` in `all` depend.
Prefix past_of(const graph::Graph& graph, std::span<const std::uint32_t> ends, const Prefix& all);

struct Line {
  std::vector<graph::EventRef> events;
  std::uint32_t switches = 0;
  bool is_least = false;  // proven minimal
};

// The prefix must be closed: its events depend only on events in it.
Line line_up(const graph::Graph& graph, const Prefix& prefix);

}  // namespace rehearse::mc::counterexample
