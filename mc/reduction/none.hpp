// SPDX-License-Identifier: MIT
//
// No reduction: every interleaving of sends, posted receives, matches and observations under one policy. Each state is
// visited once. Tests compare the other reductions with it, on small programs.
//
// Memory: one hash per state, and the recursion is as deep as an execution is long.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "mc/reduction/moves.hpp"

namespace rehearse::mc::reduction {

class None {
 public:
  // Called in each state without a possible move; false stops.
  using Visitor = std::function<bool(const graph::Graph&, const buffering::PolicyOutcome&)>;

  None(history::History& history, std::uint32_t actors, const Policy& policy, std::uint32_t polls)
      : moves_(history, actors, policy, polls) {}

  bool run(const Visitor& visit) { return explore(visit); }
  const Moves& moves() const { return moves_; }
  std::uint64_t states() const { return visited_.size(); }

 private:
  bool explore(const Visitor& visit);

  Moves moves_;
  std::unordered_set<history::Hash128, history::HashOfHash> visited_;
};

}  // namespace rehearse::mc::reduction
