// SPDX-License-Identifier: MIT
//
// Examines an explored execution: its class, its end under every policy, and the findings of the judge at ends that are
// not plainly good.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mc/buffering/policy_replay.hpp"
#include "mc/explore.hpp"
#include "mc/graph/graph.hpp"
#include "mc/history/history.hpp"
#include "mc/predicates/predicate_judge.hpp"
#include "mc/reduction/receives_from.hpp"
#include "mc/verdict/determinism.hpp"
#include "mc/verdict/execution.hpp"

namespace rehearse::mc::verdict {

using graph::Graph;

// The outcome where nobody waits longer than in the exploration: the execution itself.
buffering::PolicyOutcome as_it_is(const Graph& graph);

class Examiner {
 public:
  // goes_on: asked from time to time while an execution is looked at; false stops.
  Examiner(Program& program, history::History& history, const ExploreOptions& options, const Judge& judge,
           buffering::PolicyReplay::GoesOn goes_on)
      : program_(program),
        history_(history),
        options_(options),
        judge_(judge),
        replay_(std::move(goes_on)),
        outcomes_(options.semantics.policies.size()),
        determinism_(program, history, options),
        predicates_(program, options) {}

  // From now on this is asked instead.
  void ask(buffering::PolicyReplay::GoesOn goes_on) { replay_ = buffering::PolicyReplay(std::move(goes_on)); }

  // An execution of an exploration in which nobody waits for reasons of policy, under all policies. False: it was
  // stopped, and what it says of the execution is not all.
  bool examine(const Graph& graph, bool is_reached_once, Execution& execution);

  // An execution under this policy that ends like this.
  void examine(const Graph& graph, std::size_t policy, const buffering::PolicyOutcome& outcome, Execution& execution);

  // Whether the execution, which was just examined, is one of the first policy in which everybody ends with status 0
  // and no message is lost.
  bool ends_well(const Graph& graph, const Execution& execution) const;

  // Adds the races of the execution at hand, which was just examined, at places where none was known.
  void find_races(reduction::ReceivesFromExplorer& explorer, Execution& execution);

  // Whether actors published predicates in it.
  bool has_predicates(const Graph& graph) const { return predicates_.is_asked(graph); }

  // Whether processes that are forked now compare with the same execution.
  bool can_be_divided() const { return determinism_.can_be_divided(); }

  // From now on every end that is not plainly good is reported and judged as if for the first time.
  void forget_recorded_ends() {
    recorded_ends_.clear();
    range_ = {};
    races_.clear();
  }

 private:
  bool examine_under(const Graph& graph, std::size_t policy, Execution& execution);
  Cause judge(const Graph& graph, std::size_t policy, const buffering::PolicyOutcome& outcome);
  bool is_of_first_policy(const Execution& execution) const;
  void compare_with_first(const Graph& graph, Execution& execution);
  void add_ending(const Graph& graph, const buffering::PolicyOutcome& outcome, const history::Hash128& observed,
                  Execution& execution);
  void add_cause(Cause&& cause, Execution& execution);
  void judge_predicates(const Graph& graph, Execution& execution);

  Program& program_;
  history::History& history_;
  const ExploreOptions& options_;
  const Judge& judge_;
  buffering::PolicyReplay replay_;
  std::vector<std::vector<buffering::PolicyOutcome>> outcomes_;  // by policy, of the execution at hand
  Determinism determinism_;
  predicates::PredicateJudge predicates_;
  history::Hash128 observed_;  // by all actors, in the execution at hand
  std::unordered_map<history::Hash128, std::uint32_t, history::HashOfHash>
      recorded_ends_;  // by shape: a bit for each policy
  Range range_;        // of costs, since recorded_ends were forgotten
  reduction::RaceFinder::Places races_;
};

}  // namespace rehearse::mc::verdict
