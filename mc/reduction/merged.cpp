// SPDX-License-Identifier: MIT
//
// Rounds of depth-first search over the choices.
#include "mc/reduction/merged.hpp"

namespace rehearse::mc::reduction {

bool Merged::run(const Visitor& visit, const GoesOn& goes_on) {
  for (;;) {
    const std::uint64_t known = local_.edge_count();
    all_states_ += visited_.size();
    visited_.clear();
    teams_.forget();
    ++rounds_;
    if (!run_round(visit, goes_on)) return false;
    if (!rules_.repeats_rounds || local_.edge_count() == known || teams_.still_hold()) return true;
  }
}

bool Merged::run_round(const Visitor& visit, const GoesOn& goes_on) {
  constexpr std::size_t states_between_questions = 64;
  path_.clear();
  world_.take_back(0);
  world_.mark_all();
  if (!enter(0, visit)) return false;
  while (!path_.empty()) {
    Frame& frame = path_.back();
    if (frame.next == frame.moves.size()) {
      world_.take_back(frame.made);
      path_.pop_back();
      continue;
    }
    const std::size_t made = world_.made();
    world_.make(frame.moves[frame.next++]);
    if (!enter(made, visit)) return false;
    if (visited_.size() % states_between_questions == 0 && !goes_on()) return false;
  }
  return true;
}

// Settles, and adds a frame for the state if it has choices and is new. `made`: moves made before.
bool Merged::enter(std::size_t made, const Visitor& visit) {
  world_.settle();
  bool goes_on = true;
  if (visited_.insert(world_.state()).second) {
    Frame frame{teams_.choose(world_), 0, made};
    if (!frame.moves.empty()) {
      path_.push_back(std::move(frame));
      return true;
    }
    goes_on = visit(world_.graph(), world_.moves().outcome());
  }
  world_.take_back(made);
  return goes_on;
}

}  // namespace rehearse::mc::reduction
