// SPDX-License-Identifier: MIT
//
// Finds message races: the places where an exploration branches because a call takes the message of another actor.
//
// Each search looks only at entries of the trail that are new since the last one. They have few deviations, most of
// them at known places.
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_set>
#include <vector>

#include "mc/reduction/race.hpp"
#include "mc/reduction/trail.hpp"

namespace rehearse::mc::reduction {

class RaceFinder {
 public:
  using Places = std::unordered_set<history::Hash128, history::HashOfHash>;

  // Called with a complete execution. Adds the races that have it as a side, at places that are not in `known`, if
  // counts() returns true. Calls counts() only if there are such races. If it returns false, the next execution with
  // the same deviations adds them.
  void find(const Trail& trail, const graph::Graph& graph, const Places& known, const std::function<bool()>& counts,
            std::vector<Race>& races);

  // The trail was shortened: entries from `length` on are new.
  void forget_behind(std::size_t length) {
    if (unasked_ > length) unasked_ = length;
  }

 private:
  std::size_t unasked_ = 0;  // entries from this one on were not searched
};

}  // namespace rehearse::mc::reduction
