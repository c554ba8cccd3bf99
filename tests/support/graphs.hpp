// SPDX-License-Identifier: MIT
//
// Execution graphs of litmus programs, for tests of what works on graphs: all of them, or one that a test grows event
// by event and answers itself. The one place where such tests touch how an exploration is made.
//
// Text: of an option: `no`, `starves`, `done 0 2` (requests of the list), `3<-1.0` (the receive posted by event 3 takes
//       what event 0 of actor 1 sent), `saw 1.0`; several joined by blanks; `yes` where it says nothing else.
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

// A litmus program and what is known of its actors.
class World {
 public:
  explicit World(const std::string& text, bool sites = false);

  Program& program() { return *program_; }
  mc::history::History& history() { return history_; }
  std::uint32_t actors() const { return program_->actor_count(); }

  // Every execution of receives-from exploration, in its order; false stops.
  using Visit = std::function<bool(const mc::graph::Graph&)>;
  bool for_each_execution(const Visit& visit, std::uint32_t polls = 1);

  // The execution that the guide chooses is looked at, if it comes to one.
  bool follow(mc::reduction::Guide& guide, const std::function<void(const mc::graph::Graph&)>& look);

  // The execution that an exploration makes first is looked at.
  void first_execution(const std::function<void(const mc::graph::Graph&)>& look);

  // The executions with at most so many answers that are not the first. Whether there are no others.
  using VisitDeviating = std::function<void(const mc::graph::Graph&, std::uint32_t deviations)>;
  bool for_each_with_deviations(std::uint32_t most, const VisitDeviating& visit);

  // An execution that chance leads to; false: it led nowhere.
  bool walk(SplitMix& chance, const std::function<void(const mc::graph::Graph&)>& look);

  // A place at which messages of different actors may be taken: whose are, on either side.
  struct RaceSides {
    std::uint32_t actor = 0;
    mc::graph::EventIndex taken = mc::graph::no_event;
    std::vector<std::uint32_t> here;
    std::vector<std::vector<std::uint32_t>> there;
  };
  // Each place once.
  std::vector<RaceSides> races();

  // Every end of every interleaving under the policy.
  void for_each_interleaved_end(
      const Policy& policy,
      const std::function<void(const mc::graph::Graph&, const mc::buffering::PolicyOutcome&)>& visit);

 private:
  std::unique_ptr<Program> program_;
  mc::history::History history_;
};

// One graph, grown by hand.
class GrownGraph {
 public:
  explicit GrownGraph(const std::string& text, bool sites = false);

  World& world() { return world_; }
  mc::graph::Graph& graph() { return graph_; }
  const mc::graph::Graph::Actor& actor(std::uint32_t a) const { return graph_.actor(a); }

  // The actor sends, posts its receive, or arrives at its collective.
  mc::graph::EventRef start(std::uint32_t actor);
  // So often, each actor in turn as they are named.
  void start_all(const std::vector<std::uint32_t>& actors);
  // What the actor observes is answered like this.
  mc::graph::EventRef answer(std::uint32_t actor, mc::graph::Option option = {});
  // The actor's receive is decided like this before it is observed.
  mc::graph::EventRef decide(std::uint32_t actor, std::uint32_t request, mc::graph::Option option);

  std::vector<std::uint32_t> event_counts() const;  // by actor
  bool can_observe(std::uint32_t actor) const;      // it is not about to start something, nor over
  // Some actor that can does what it can, and chance says who and what. False: nobody can.
  bool grow_by_chance(SplitMix& chance);

  // Everything that is there, as the actor sees it.
  mc::reduction::View view(std::uint32_t actor) const;
  // All answers that the actor can get where it stands, in words.
  std::vector<std::string> options(std::uint32_t actor, std::uint32_t polls = 1) const;
  mc::reduction::Question question(std::uint32_t actor, std::uint32_t polls = 1) const;
  // All answers that an observation could have had before it, with so many events of the others in sight.
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

// All of the graph that a driver can see: events with their partners, options and clocks, lists and sums. Equal for
// equal graphs.
std::string text_of(const mc::graph::Graph& graph);

// Who takes what in the graph, by requests, and what open calls were answered: `0:r0<-1#0;...` as schedules say it.
std::string schedule_of(const mc::graph::Graph& graph);

// As if nobody waited longer than in the graph.
mc::buffering::PolicyOutcome whole_outcome(const mc::graph::Graph& graph);

}  // namespace rehearse::tests
