// SPDX-License-Identifier: MIT
//
// Examines an explored execution: its class, its ends under every policy, and the findings of the judge for ends that
// are not spotless (counterexample::is_spotless).
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

// The outcome under a policy that makes no actor wait: the execution itself.
buffering::PolicyOutcome as_it_is(const Graph& graph);

class Examiner {
 public:
  // goes_on: called at intervals during an examination; false stops it.
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

  // Replaces goes_on.
  void ask(buffering::PolicyReplay::GoesOn goes_on) { replay_ = buffering::PolicyReplay(std::move(goes_on)); }

  // Examines an execution of an exploration without policy under all policies. `is_reached_once`: the exploration
  // should reach it once, so that duplicates can be counted. False: goes_on stopped it, and the record is incomplete.
  bool examine(const Graph& graph, bool is_reached_once, Execution& execution);

  // Examines one outcome of an execution under one policy.
  void examine(const Graph& graph, std::size_t policy, const buffering::PolicyOutcome& outcome, Execution& execution);

  // For the execution that was just examined: whether it is possible under the first policy, all actors end with status
  // 0, and no message is lost.
  bool ends_well(const Graph& graph, const Execution& execution) const;

  // For the current execution, which was just examined: adds its races at new places.
  void find_races(reduction::ReceivesFromExplorer& explorer, Execution& execution);

  // Whether actors published predicates in the execution.
  bool has_predicates(const Graph& graph) const { return predicates_.is_asked(graph); }

  // Whether processes that are forked now compare with the same first execution.
  bool can_be_divided() const { return determinism_.can_be_divided(); }

  // From now on records and judges every end as if it were new.
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
  std::vector<std::vector<buffering::PolicyOutcome>> outcomes_;  // by policy, of the current execution
  Determinism determinism_;
  predicates::PredicateJudge predicates_;
  history::Hash128 observed_;  // the class of the current execution: the observations of all actors
  std::unordered_map<history::Hash128, std::uint32_t, history::HashOfHash>
      recorded_ends_;                    // by shape: bits of policies
  Range range_;                          // of costs, since forget_recorded_ends()
  reduction::RaceFinder::Places races_;  // known places
};

}  // namespace rehearse::mc::verdict
