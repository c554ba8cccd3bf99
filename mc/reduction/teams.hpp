// SPDX-License-Identifier: MIT
//
// Which choices of a merged state must be explored: those of a team of actors, such that nobody outside the team can
// give a member another choice while the team stands still (a persistent set).
//
// What the actors outside can still send is taken from the local graphs as far as they are known. So a search with
// teams must be repeated until it finds no new edge of them.
//
// Source: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", LNCS 1032, 1996 (persistent
//         sets); docs/soundness.md has the argument.
#pragma once

#include <cstdint>
#include <vector>

#include "mc/reduction/futures.hpp"
#include "mc/reduction/merged_world.hpp"

namespace rehearse::mc::reduction {

class Teams {
 public:
  using Actors = history::LocalGraph::Actors;

  // Rules that can be left out, to show in tests that each is necessary.
  struct Rules {
    bool asks_futures = true;      // false: teams of one actor
    bool counts_under_way = true;  // false: also members with messages under way to an actor are silent for it
    bool watches_members = true;   // false: no member continues when others act
    bool follows_movers = true;    // false: only actors that can move now are asked about
  };

  Teams(const history::LocalGraph& graph, Rules rules) : futures_(graph), rules_(rules) {}

  // The choices to explore in this settled state; empty: there are none.
  std::vector<Move> choose(const MergedWorld& world);

  // Whether every team since the last forget() is still sufficient, although the local graph may have grown meanwhile.
  bool still_hold() { return futures_.still_hold(); }
  void forget() { futures_.forget(); }

 private:
  struct Choices {
    std::uint32_t actor = 0;
    std::vector<Move> moves;
  };
  // What an actor of a team can do without one of its choices.
  enum class Standing : std::uint8_t {
    still,   // nothing
    moving,  // it continues when others act
    unclear  // others can give its call another answer
  };

  Actors grown(const MergedWorld& world, Actors team);
  static Standing standing(const MergedWorld& world, std::uint32_t actor);
  static bool waits_for_team(const MergedWorld& world, std::uint32_t actor, Actors still);
  Actors active_without(const MergedWorld& world, Actors team, Actors still);
  bool makes_able(const MergedWorld& world, std::uint32_t actor, std::uint32_t other, Actors still);
  bool may_send(const MergedWorld& world, std::uint32_t actor, Actors others, Actors still);
  bool threatens(const MergedWorld& world, std::uint32_t actor, Actors team, Actors still);
  static bool is_new_choice(const MergedWorld& world, std::uint32_t sender, const Futures::Envelope& envelope);

  Futures futures_;
  Rules rules_;
  std::vector<Choices> choices_;   // of the current state
  std::vector<Actors> under_way_;  // likewise, by receiver
};

}  // namespace rehearse::mc::reduction
