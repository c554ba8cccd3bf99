// SPDX-License-Identifier: MIT
//
// No reduction: every interleaving of sends, posted receives, matches and observations under one policy. Each state is
// visited once. Tests compare the other reductions with it, on small programs.
//
// Memory: one hash per state, and the recursion is as deep as an execution is long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "mc/history/hash_set.hpp"
#include "mc/reduction/moves.hpp"

namespace rehearse::mc::reduction {

class None {
 public:
  // Called in each state without a possible move; false stops.
  using Visitor = std::function<bool(const graph::Graph&, const buffering::PolicyOutcome&)>;

  None(history::History& history, std::uint32_t actors, const Policy& policy, std::uint32_t polls)
      : moves_(history, actors, policy, polls) {}

  bool run(const Visitor& visit) { return explore(visit, 0); }
  const Moves& moves() const { return moves_; }
  std::uint64_t states() const { return visited_.size(); }

 private:
  bool explore(const Visitor& visit, std::size_t depth);

  Moves moves_;
  std::deque<std::vector<Move>> moves_at_;  // by depth; kept, because states are many
  history::HashSet visited_;
};

}  // namespace rehearse::mc::reduction
