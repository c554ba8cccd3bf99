// SPDX-License-Identifier: MIT
//
// Finds the places where an exploration branches because a call takes the message of another actor.
//
// Which entries of the trail came since the last search is remembered: deviations among them are few, most of them at
// known places.
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

  // With an execution at hand: adds the races of which it is the other side, at places that are not known, if it
  // `counts`, which is asked only if there are any; otherwise they will come with the next one that they lead to.
  void find(const Trail& trail, const graph::Graph& graph, const Places& known, const std::function<bool()>& counts,
            std::vector<Race>& races);

  // The trail went back: entries from `length` on are new ones.
  void forget_behind(std::size_t length) {
    if (unasked_ > length) unasked_ = length;
  }

 private:
  std::size_t unasked_ = 0;  // entries from there on were not looked at
};

}  // namespace rehearse::mc::reduction
