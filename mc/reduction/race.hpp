// SPDX-License-Identifier: MIT
//
// A message race: a place in an actor's program that takes messages of different actors in different executions.
#pragma once

#include <vector>

#include "mc/graph/graph.hpp"
#include "mc/reduction/path.hpp"

namespace rehearse::mc::reduction {

struct Race {
  history::Hash128 place;  // identifies the place
  std::uint32_t actor = 0;
  // The event that takes a message: a receive, or a probe or an observation of several requests.
  graph::EventIndex taken = graph::no_event;
  graph::EventIndex observed = graph::no_event;  // the observation or decision that selects the message
  Path path;                                     // the beginning of the executions with these messages
  std::vector<Path> others;                      // the beginnings of executions with messages of other actors
};

}  // namespace rehearse::mc::reduction
