// SPDX-License-Identifier: MIT
//
// The search of merged states under one policy: local histories that end in the same state are one node, and each
// global state is visited once. A round explores the choices of teams (teams.hpp); what teams need to know about the
// future grows during the round. So rounds are repeated until everything that the teams of a round took for the future
// is still so at its end. Then every end that an execution of the program has is the end of a path that was followed.
//
// Memory: a hash for each state; the path to the current one.
// Source: docs/soundness.md, "Merged histories".
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "mc/history/hash_set.hpp"
#include "mc/reduction/merged_world.hpp"
#include "mc/reduction/teams.hpp"

namespace rehearse::mc::reduction {

class Merged {
 public:
  // Rules that can be left out, to show in tests that each is necessary.
  struct Rules {
    bool repeats_rounds = true;
    Teams::Rules teams = {};
  };

  // Called in each state without a possible move; false stops.
  using Visitor = std::function<bool(const graph::Graph&, const buffering::PolicyOutcome&)>;
  // Called from time to time; false stops.
  using GoesOn = std::function<bool()>;

  Merged(history::History& history, history::LocalGraph& graph, std::uint32_t actors, const Policy& policy, Rules rules)
      : local_(graph), world_(history, graph, actors, policy), teams_(graph, rules.teams), rules_(rules) {}
  Merged(history::History& history, history::LocalGraph& graph, std::uint32_t actors, const Policy& policy)
      : Merged(history, graph, actors, policy, Rules()) {}

  // False: stopped. Throws NotMergeable and ShortMessage.
  bool run(const Visitor& visit, const GoesOn& goes_on);

  std::uint64_t states() const { return visited_.size(); }  // of the last round
  std::uint64_t all_states() const { return all_states_ + visited_.size(); }
  std::uint64_t rounds() const { return rounds_; }

 private:
  struct Frame {
    std::vector<Move> moves;
    std::size_t next = 0;
    std::size_t made = 0;  // moves made before this state was entered
  };

  bool run_round(const Visitor& visit, const GoesOn& goes_on);
  bool enter(std::size_t made, const Visitor& visit);

  history::LocalGraph& local_;
  MergedWorld world_;
  Teams teams_;
  Rules rules_;
  history::HashSet visited_;
  std::vector<Frame> path_;
  std::uint64_t all_states_ = 0, rounds_ = 0;
};

}  // namespace rehearse::mc::reduction
