// SPDX-License-Identifier: MIT
//
// A Guide that forces some decisions and takes the first option for all others.
//
// Actors whose decision is forced wait until it can be made; messages that belong to a forced receive are left to it.
// What was chosen where there was a choice is written down, in the words of schedules, so that it outlives the graph.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "mc/reduction/guide.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::mc::counterexample {

using graph::Graph;

// Decisions; also a single one.
struct Forced {
  Schedule schedule;
  std::set<std::pair<ActorId, std::uint32_t>> starved;  // the actors wait forever at these operations

  bool is_empty() const { return schedule.matches.empty() && schedule.answers.empty() && starved.empty(); }
  bool operator==(const Forced& other) const {
    return schedule.matches == other.schedule.matches && schedule.answers == other.schedule.answers &&
           starved == other.starved;
  }
  void add(const Forced& more);  // what is there already stays
};

// A choice that an execution came to.
struct Taken {
  graph::EventRef event;        // the observation, or the decision about a receive
  std::uint32_t operation = 0;  // its number
  std::vector<Forced> options;  // all that there were when it was made
  std::size_t chosen = 0;
  bool is_default = true;  // it is what would have been taken had nothing been forced here
};

class Follower final : public reduction::Guide {
 public:
  // `must`: forced. `may`: preferred where it is possible. With `to_the_end` `must` is a whole execution: who waits
  // there for a message that it does not name waits forever if that is possible.
  struct Orders {
    Forced must, may;
    bool to_the_end = false;
  };

  // `update`: called before each choice; may add to `must`.
  explicit Follower(Orders orders, std::function<void(const Graph&, Forced& must)> update = {})
      : orders_(std::move(orders)), update_(std::move(update)) {}

  std::optional<std::size_t> choose(const Graph& graph, const reduction::Place& place,
                                    std::span<const graph::Option> options, bool is_last) override;
  bool refuses(const Graph& graph, std::uint32_t actor) override;

  const std::vector<Taken>& taken() const { return taken_; }
  // A forced decision could not be made: here something else was taken.
  const std::vector<graph::EventRef>& strayed() const { return strayed_; }

 private:
  enum class Fit { no, neutral, yes };
  static Fit fit(const Forced& option, const Forced& orders);
  static bool names(const Graph& graph, const reduction::Place& place, const Forced& orders);
  std::optional<std::size_t> pick(const Graph& graph, const reduction::Place& place, std::span<const Forced> options,
                                  bool is_last);
  std::optional<std::size_t> choose_as(const Forced& orders, const Graph& graph, const reduction::Place& place,
                                       std::span<const Forced> options, bool& waits) const;

  Orders orders_;
  std::function<void(const Graph&, Forced& must)> update_;
  std::vector<Taken> taken_;
  std::vector<graph::EventRef> strayed_;
  std::set<std::uint32_t> waiting_;  // actors that were left waiting
};

// What an observation, or a decision about a receive, came to, in the words of schedules.
Forced words_of(const Graph& graph, graph::EventRef observation);

}  // namespace rehearse::mc::counterexample
