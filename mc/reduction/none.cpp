// SPDX-License-Identifier: MIT
//
// Depth-first search over the moves.
#include "mc/reduction/none.hpp"

namespace rehearse::mc::reduction {

bool None::explore(const Visitor& visit) {
  if (!visited_.insert(moves_.state()).second) return true;
  std::vector<Move> moves;
  moves_.list(moves);
  for (const Move& move : moves) {
    moves_.make(move);
    const bool go_on = explore(visit);
    moves_.take_back();
    if (!go_on) return false;
  }
  return !moves.empty() || visit(moves_.graph(), moves_.outcome());
}

}  // namespace rehearse::mc::reduction
