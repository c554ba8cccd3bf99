// SPDX-License-Identifier: MIT
//
// The forward half of receives-from exploration: grows an execution graph event by event, under a fixed scheduler.
//
// The fixed scheduler first takes steps without a choice: a send, a posted receive, an arrival at a collective, an
// observation with one possible answer. Then the actor with the lowest number that has a choice makes its observation.
// The builder only adds and removes events. Its caller selects the alternatives and returns to them later.
//
// In these graphs no send waits for its receive, and members of collectives wait only for the data that they need.
// mc/buffering then decides how the execution ends under each policy.
//
// Errors: if an actor is interrupted in the middle of a step, the step is undone, and GivenUp is thrown.
// Source: as mc/graph/graph.hpp. Departures: posted receives are decided at their first observation, in posting order,
//         together with the matches that the non-overtaking rule forces; an observation that other receives of the
//         actor can starve has one more option, which is_real() checks when the execution is maximal. docs/soundness.md
//         argues that these departures are correct.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mc/graph/graph.hpp"
#include "mc/history/history.hpp"
#include "mc/reduction/actor_set.hpp"
#include "mc/reduction/guide.hpp"
#include "mc/reduction/options.hpp"
#include "mc/reduction/questions.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::mc::reduction {

using graph::Option;

// Consecutive polls at the end of the execution that got the answer "no" because nothing else could happen.
struct Refusals {
  std::uint32_t in_a_row = 0;
  std::uint32_t last_actor = 0;
};

class ExecutionBuilder {
 public:
  // The kind of the added event. nothing: no actor can make a step of the requested kind. plain: an event without
  // alternatives. offer: a send or an arrival, which earlier observations could have read. choice: an observation with
  // the first of the options that take_choices() returns.
  enum class Added : std::uint8_t { nothing, plain, offer, choice };

  ExecutionBuilder(history::History& history, std::uint32_t actors, std::uint32_t polls);

  // Adds the next event of the fixed scheduler. last_actor() is its actor.
  Added grow() {
    const Added added = grow_without_choice();
    return added != Added::nothing ? added : lowest(may_observe_, &ExecutionBuilder::observe_open);
  }
  Added grow_without_choice();
  // Adds an observation of a random actor, with a random option.
  Added observe_by_chance(SplitMix& chance);
  // Adds an observation that the guide chooses; see Guide::choose.
  Added observe_as_guided(Guide& guide, bool is_last);
  // Answers "no" to a poll that the guide selects (Guide::refuses).
  Added refuse_as_guided(Guide& guide);
  // For when nothing else can happen: answers "no" to a poll although the bound on polls would not permit it. Calls
  // take the actors in turn, since one actor may wait for a message that another sends after its next "no".
  Added refuse_some_poll(Refusals& refusals);

  std::uint32_t last_actor() const { return last_actor_; }
  std::vector<Option> take_choices() { return std::move(choices_); }

  // Whether every actor that starves in this maximal execution (Option::starved) really has to wait forever.
  bool is_real();

  // Undoes the actor's newest event.
  void take_back(std::uint32_t actor);
  // Gives the actor's newest observation another option. If the actor is interrupted (GivenUp), gives it `before`
  // again.
  void replace_option(std::uint32_t actor, const Option& option, const Option& before);
  // Removes the actor's newest event, for put_back().
  graph::Graph::Removed remove_last(std::uint32_t actor);
  // Puts removed events back, the last removed one first.
  void put_back(std::vector<graph::Graph::Removed>& removed, std::uint32_t next_stamp);
  // Adds the removed observation again, with its stamp and another option. `next_stamp`: of the graph afterwards.
  void add_again(std::uint32_t actor, const graph::Event& removed, const Option& option, std::uint32_t next_stamp);
  // Removes the actor's newest event for good.
  void pop(std::uint32_t actor) { graph_.pop(actor); }

  // All options that the observation or decision in the graph has in this view.
  void options_of(const View& view, const graph::Event& event, std::vector<Option>& options) {
    options_.enumerate(graph_, view, questions_.of_event(graph_, view, event), options);
  }

  // Drops all local histories except those of the graph and `others`.
  void forget_histories(std::vector<const history::Node*> others);
  bool is_history_full() const { return history_.is_full(); }

  const graph::Graph& graph() const { return graph_; }
  // Whether the bound on polls prevented an answer "no".
  bool has_left_out_refusals() const { return has_left_out_refusals_; }
  // Names of choices that are not enumerated; if not empty, the exploration is incomplete.
  std::vector<std::string> unsupported() const;

 private:
  struct Pending {
    graph::EventKind kind = graph::EventKind::observe;
    RequestId decides;
    Question question;
    bool satisfied = false;
  };

  Added lowest(ActorSet& candidates, Added (ExecutionBuilder::*step)(std::uint32_t actor));
  Added start_something(std::uint32_t actor);
  Added observe_settled(std::uint32_t actor);
  Added observe_open(std::uint32_t actor);
  Added refuse_poll(std::uint32_t actor);
  Added note(Added added, std::uint32_t actor) {
    last_actor_ = actor;
    return added;
  }
  void wake(std::uint32_t actor);
  void wake_all();
  void wake_members(const graph::Event& arrival);
  std::optional<Pending> open_question(std::uint32_t actor, std::vector<Option>& options);
  std::optional<Pending> pending(std::uint32_t actor);
  void decide_first(std::uint32_t actor, Pending& pending) const;
  bool is_settled(std::uint32_t actor, const Question& question) const;
  bool stands_at_observation(std::uint32_t actor) const;
  void add_observation(std::uint32_t actor, graph::EventKind kind, RequestId decides, Option option, bool settled);
  void advance_observer(std::uint32_t actor);
  template <class Advance>
  void move_on(std::uint32_t actor, const Advance& advance);
  View now(std::uint32_t actor) const;

  history::History& history_;
  graph::Graph graph_;
  Questions questions_;
  Options options_;
  ActorSet may_start_, may_settle_, may_observe_;  // actors outside a set cannot make such a step
  std::vector<std::uint32_t> all_;                 // View::visible of the whole graph
  std::vector<Option> scratch_, choices_;
  std::uint32_t polls_;
  std::uint32_t last_actor_ = 0;
  bool has_left_out_refusals_ = false;
};

}  // namespace rehearse::mc::reduction
