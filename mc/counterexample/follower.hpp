// SPDX-License-Identifier: MIT
//
// A Guide that forces some decisions and takes the first option for all others.
//
// Actors whose decision is forced wait until it is possible. A message of a forced receive goes to no other receive.
// The follower records each choice as a schedule does, with actors and request numbers, so that the record outlives the
// graph.
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

// One or more decisions.
struct Forced {
  Schedule schedule;
  std::set<std::pair<ActorId, std::uint32_t>> starved;  // the actors wait forever at these operations

  bool is_empty() const { return schedule.matches.empty() && schedule.answers.empty() && starved.empty(); }
  bool operator==(const Forced& other) const {
    return schedule.matches == other.schedule.matches && schedule.answers == other.schedule.answers &&
           starved == other.starved;
  }
  void add(const Forced& more);  // existing decisions have priority
};

// A choice that the execution made.
struct Taken {
  graph::EventRef event;        // the observation, or the decision about a receive
  std::uint32_t operation = 0;  // its number
  std::vector<Forced> options;  // all options at that time
  std::size_t chosen = 0;
  bool is_default = true;  // nothing was forced: the first option, without waiting
};

class Follower final : public reduction::Guide {
 public:
  // `must`: forced. `may`: preferred if possible. With `to_the_end`, `must` is a whole execution: an actor that waits
  // for a message that `must` does not name waits forever, if that is possible.
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
  // Events where a forced decision was not possible and another one was taken.
  const std::vector<graph::EventRef>& impossible() const { return impossible_; }

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
  std::vector<graph::EventRef> impossible_;
  std::set<std::uint32_t> waiting_;  // actors whose choice was postponed
};

// The result of an observation, or of a decision about a receive, in the form of a schedule.
Forced as_forced(const Graph& graph, graph::EventRef observation);

}  // namespace rehearse::mc::counterexample
