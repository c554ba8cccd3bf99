// SPDX-License-Identifier: MIT
//
// Judges the predicates of a program in every consistent state of all actors of an execution.
//
// A predicate is judged in the states in which all its values have been published: by the actor that it names, or by
// all actors that publish a value of that name in this execution.
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

// Limit on the combinations of states examined for one predicate in one execution.
constexpr std::uint64_t combinations_max = 1'000'000;

// A predicate of a program in an execution.
class StateSearch {
 public:
  StateSearch(const Predicate& predicate, const std::vector<std::vector<Publication>>& publications,
              const Clocks& clocks, std::uint64_t combinations = combinations_max);

  // A value of the predicate that is not published in this execution, or not by the actor that it names; empty: none.
  const std::string& missing() const { return missing_; }

  // The first wanted state in which the predicate has this value: for each actor of the predicate, the last published
  // value of each name. Empty: there is none, or was_cut_short().
  struct Held {
    std::uint32_t actor;
    const Published* published;
  };
  using IsWanted = std::function<bool(const std::vector<Held>&)>;
  std::vector<Held> find(bool value, const IsWanted& is_wanted = {});

  bool was_cut_short() const { return left_ == 0; }

 private:
  struct State {
    graph::EventIndex begins = 0, ends = 0;          // numbers of events of the actor
    std::map<std::string, const Published*> values;  // by name, of the predicate's names
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
