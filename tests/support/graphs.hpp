// SPDX-License-Identifier: MIT
//
// Execution graphs of litmus programs, for tests of code that works on graphs: all graphs, or one that a test builds
// event by event and answers itself. Only this file of such tests depends on the construction of an exploration.
//
// Text: of an option: `no`, `starves`, `done 0 2` (requests of the list), `3<-1.0` (the receive posted by event 3 takes
//       what event 0 of actor 1 sent), `saw 1.0`; several joined by blanks; `yes` if it has no other content.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mc/buffering/policy_replay.hpp"
#include "mc/explore.hpp"
#include "mc/graph/graph.hpp"
#include "mc/history/history.hpp"
#include "mc/reduction/guide.hpp"
#include "mc/reduction/options.hpp"
#include "simcore/program.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::tests {

// A litmus program and the known data of its actors.
class World {
 public:
  explicit World(const std::string& text, bool sites = false);

  Program& program() { return *program_; }
  mc::history::History& history() { return history_; }
  std::uint32_t actors() const { return program_->actor_count(); }

  // Visits every execution of receives-from exploration in its order; false stops.
  using Visit = std::function<bool(const mc::graph::Graph&)>;
  bool for_each_execution(const Visit& visit, std::uint32_t polls = 1);

  // Visits the execution that the guide chooses, if there is one.
  bool follow(mc::reduction::Guide& guide, const std::function<void(const mc::graph::Graph&)>& look);

  // Visits the first execution of an exploration.
  void first_execution(const std::function<void(const mc::graph::Graph&)>& look);

  // Visits the executions with at max_deviations `max_deviations` deviations. Returns whether there are no other
  // executions.
  using VisitDeviating = std::function<void(const mc::graph::Graph&, std::uint32_t deviations)>;
  bool for_each_with_deviations(std::uint32_t max_deviations, const VisitDeviating& visit);

  // Visits a random execution; false: the random choices led to none.
  bool walk(SplitMix& chance, const std::function<void(const mc::graph::Graph&)>& look);

  // A receive that may take messages of different actors: the senders on both sides of the race.
  struct RaceSides {
    std::uint32_t actor = 0;
    mc::graph::EventIndex taken = mc::graph::no_event;
    std::vector<std::uint32_t> here;
    std::vector<std::vector<std::uint32_t>> there;
  };
  // Each race once.
  std::vector<RaceSides> races();

  // Visits every end of every interleaving under the policy.
  void for_each_interleaved_end(
      const Policy& policy,
      const std::function<void(const mc::graph::Graph&, const mc::buffering::PolicyOutcome&)>& visit);

 private:
  std::unique_ptr<Program> program_;
  mc::history::History history_;
};

// One graph, built by the test.
class GrownGraph {
 public:
  explicit GrownGraph(const std::string& text, bool sites = false);

  World& world() { return world_; }
  mc::graph::Graph& graph() { return graph_; }
  const mc::graph::Graph::Actor& actor(std::uint32_t a) const { return graph_.actor(a); }

  // The actor sends, posts its receive, or arrives at its collective.
  mc::graph::EventRef start(std::uint32_t actor);
  // Starts the actors in the order of the list.
  void start_all(const std::vector<std::uint32_t>& actors);
  // Answers the current observe of the actor.
  mc::graph::EventRef answer(std::uint32_t actor, mc::graph::Option option = {});
  // Decides the actor's receive before it is observed.
  mc::graph::EventRef decide(std::uint32_t actor, std::uint32_t request, mc::graph::Option option);

  std::vector<std::uint32_t> event_counts() const;  // by actor
  bool can_observe(std::uint32_t actor) const;      // its next operation is an observation
  // A random actor takes a random possible step. False: no actor can continue.
  bool grow_by_chance(SplitMix& chance);

  // The whole graph, from the view of the actor.
  mc::reduction::View view(std::uint32_t actor) const;
  // All answers that the actor can get at its current operation, as text.
  std::vector<std::string> options(std::uint32_t actor, std::uint32_t polls = 1) const;
  mc::reduction::Question question(std::uint32_t actor, std::uint32_t polls = 1) const;
  // All answers that an earlier observation could have had, with only `visible` events of each actor visible.
  std::vector<std::string> options_before(mc::graph::EventRef observation,
                                          const std::vector<std::uint32_t>& visible) const;

 private:
  bool can_start(std::uint32_t actor) const;
  std::vector<mc::graph::Option> answers(std::uint32_t actor) const;

  World world_;
  mc::graph::Graph graph_;
  std::vector<std::uint32_t> everything_;
};

mc::graph::Option takes(std::vector<mc::graph::Match> matches);                 // the receives take these
mc::graph::Option takes(mc::graph::EventIndex post, mc::graph::EventRef send);  // the receive takes this
mc::graph::Option done(std::vector<std::uint32_t> which, std::vector<mc::graph::Match> matches = {});
mc::graph::Option saw(mc::graph::EventRef send);
mc::graph::Option refused();
mc::graph::Option starving();

std::string text_of(const mc::graph::Option& option);
std::vector<std::string> texts_of(const std::vector<mc::graph::Option>& options);

// All properties of the graph that a driver can read: events with their partners, options and clocks, lists and sums.
// Equal for equal graphs.
std::string text_of(const mc::graph::Graph& graph);

// The matches of the graph, by requests, and the answers of open calls, as in schedules: `0:r0<-1#0;...`.
std::string schedule_of(const mc::graph::Graph& graph);

// The outcome if no actor waits longer than in the graph.
mc::buffering::PolicyOutcome whole_outcome(const mc::graph::Graph& graph);

}  // namespace rehearse::tests
