// SPDX-License-Identifier: MIT
//
// Depth-first search over the moves.
#include "mc/reduction/none.hpp"

namespace rehearse::mc::reduction {

bool None::explore(const Visitor& visit, std::size_t depth) {
  if (!visited_.insert(moves_.state()).second) return true;
  if (depth == moves_at_.size()) moves_at_.emplace_back();
  std::vector<Move>& moves = moves_at_[depth];
  moves.clear();
  moves_.list(moves);
  for (const Move& move : moves) {
    moves_.make(move);
    const bool go_on = explore(visit, depth + 1);
    moves_.take_back();
    if (!go_on) return false;
  }
  return !moves.empty() || visit(moves_.graph(), moves_.outcome());
}

}  // namespace rehearse::mc::reduction
