// SPDX-License-Identifier: MIT
//
// A place in the program of an actor that takes messages of one actor in one execution and of another in another.
#pragma once

#include <vector>

#include "mc/graph/graph.hpp"
#include "mc/reduction/path.hpp"

namespace rehearse::mc::reduction {

struct Race {
  history::Hash128 place;  // identifies it
  std::uint32_t actor = 0;
  graph::EventIndex taken =
      graph::no_event;  // what takes a message: a receive, or a probe or an observation of several requests
  graph::EventIndex observed = graph::no_event;  // what decides whose
  Path path;                                     // begins the executions in which it takes these messages
  std::vector<Path> others;                      // and those in which it takes others, by what it takes
};

}  // namespace rehearse::mc::reduction
