// SPDX-License-Identifier: MIT
//
// Judges the predicates of a program in every consistent state of all actors of an execution.
//
// A predicate is judged in states in which all that it asks about has been published: by the actor that it names, or by
// all actors that publish the value in this execution.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "mc/explore_options.hpp"
#include "mc/predicates/actor_states.hpp"
#include "simcore/predicate.hpp"

namespace rehearse::mc::predicates {

// So many combinations of states are looked at for one predicate in one execution.
constexpr std::uint64_t combinations_max = 1'000'000;

// A predicate of a program in an execution.
class StateSearch {
 public:
  StateSearch(const Predicate& predicate, const std::vector<std::vector<Publication>>& publications,
              const Clocks& clocks, std::uint64_t combinations = combinations_max);

  // What it asks about and nobody, or not the one who is named, publishes in this execution; empty: nothing.
  const std::string& missing() const { return missing_; }

  // The first state in which the predicate has this value and that is wanted: of each actor that is asked about, what
  // it published last before of what is asked about. Empty: there is none, or was_cut_short().
  struct Held {
    std::uint32_t actor;
    const Published* published;
  };
  using IsWanted = std::function<bool(const std::vector<Held>&)>;
  std::vector<Held> find(bool value, const IsWanted& is_wanted = {});

  bool was_cut_short() const { return left_ == 0; }

 private:
  struct State {
    graph::EventIndex begins = 0, ends = 0;          // events of the actor: behind so many, and up to so many
    std::map<std::string, const Published*> values;  // of the names that are asked about
  };
  struct Chain {
    std::uint32_t actor = 0;
    std::vector<State> states;
  };

  void add_chain(std::uint32_t actor, const std::set<std::string>& names, const std::vector<Publication>& publications);
  bool can_be_together(const Chain& one, const State& its, const Chain& other, const State& others) const;
  bool search(std::size_t next, bool value, const IsWanted& is_wanted);
  bool holds() const;
  std::vector<Held> held() const;

  const Predicate& predicate_;
  const Clocks& clocks_;
  std::vector<Chain> chains_;
  std::vector<const State*> chosen_;
  std::string missing_;
  std::uint64_t left_;
};

}  // namespace rehearse::mc::predicates
