// SPDX-License-Identifier: MIT
//
// The forward half of receives-from exploration: grows an execution graph event by event, under a fixed scheduler.
//
// What needs no choice comes first: a send, a posted receive, an arrival at a collective, an observation with one
// possible answer. Then the lowest actor observes that has a choice. The builder adds and removes events; which
// alternative is taken, and what comes back later, is the business of whoever drives it.
//
// Here no send waits for its receive and members of collectives wait only for the data they need; policies are judged
// on the executions found (mc/buffering).
//
// Errors: an actor that is given up in the middle of a step: GivenUp is thrown, and all is as it was before the step.
// Source: as mc/graph/graph.hpp. Departures: posted receives are decided at their first observation, in posting order,
//         together with what the non-overtaking rule forces; an observation that other receives of the actor can starve
//         has one more option, checked when the execution is maximal. docs/soundness.md argues that they are correct.
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

// Polls that were refused because nothing else could happen, one after the other up to here.
struct Refusals {
  std::uint32_t in_a_row = 0;
  std::uint32_t last_actor = 0;
};

class ExecutionBuilder {
 public:
  // What was added. nothing: nobody can do what was tried. plain: an event without alternatives. offer: a send or an
  // arrival, which earlier observations could have read. choice: an observation that takes the first of choices().
  enum class Added : std::uint8_t { nothing, plain, offer, choice };

  ExecutionBuilder(history::History& history, std::uint32_t actors, std::uint32_t polls);

  // One more event, by the fixed rule, of the actor that last_actor() names.
  Added grow() {
    const Added added = grow_without_choice();
    return added != Added::nothing ? added : lowest(may_observe_, &ExecutionBuilder::observe_open);
  }
  Added grow_without_choice();
  // An observation: of any actor, with any of its options.
  Added observe_by_chance(SplitMix& chance);
  // An observation that the guide chooses; see Guide::choose.
  Added observe_as_guided(Guide& guide, bool is_last);
  // Answers "no" to a poll that the guide names.
  Added refuse_as_guided(Guide& guide);
  // Nothing else can happen: answers "no" to polls after all that may not be refused for fairness, those of all actors
  // in turn, since what one of them waits for may be what another does after its next refusal.
  Added refuse_some_poll(Refusals& refusals);

  std::uint32_t last_actor() const { return last_actor_; }
  std::vector<Option> take_choices() { return std::move(choices_); }

  // Whether every actor that is said to wait forever in this maximal execution really does.
  bool is_real();

  // Takes the actor's newest event back.
  void take_back(std::uint32_t actor);
  // Gives the actor's newest observation another option; where it is given up, the one before.
  void replace_option(std::uint32_t actor, const Option& option, const Option& before);
  // Takes the actor's newest event out, to be put back.
  graph::Graph::Removed remove_last(std::uint32_t actor);
  // Puts removed events back, the last one first.
  void put_back(std::vector<graph::Graph::Removed>& removed, std::uint32_t next_stamp);
  // Adds an observation like the removed one, which had this stamp, with another option.
  void add_again(std::uint32_t actor, const graph::Event& removed, const Option& option, std::uint32_t next_stamp);
  // Removes the actor's newest event without a way back.
  void pop(std::uint32_t actor) { graph_.pop(actor); }

  // All options of the existing observation or decision in this view.
  void options_of(const View& view, const graph::Event& event, std::vector<Option>& options) {
    options_.enumerate(graph_, view, questions_.of_event(graph_, view, event), options);
  }

  // Forgets the histories that nobody needs: neither the graph nor `others`.
  void forget_histories(std::vector<const history::Node*> others);
  bool is_history_full() const { return history_.is_full(); }

  const graph::Graph& graph() const { return graph_; }
  // Whether fairness prevented another answer "no" to a poll.
  bool has_left_out_refusals() const { return has_left_out_refusals_; }
  // Choices that are not made, by name; not empty: an exploration is incomplete.
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
  ActorSet may_start_, may_settle_, may_observe_;  // who is not in there cannot
  std::vector<std::uint32_t> all_;                 // the visible part of everything
  std::vector<Option> scratch_, choices_;
  std::uint32_t polls_;
  std::uint32_t last_actor_ = 0;
  bool has_left_out_refusals_ = false;
};

}  // namespace rehearse::mc::reduction
