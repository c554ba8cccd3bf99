// SPDX-License-Identifier: MIT
//
// One exploration with any strategy: the program and its histories, the judging and counting of executions, and the
// bounds.
//
// Protocol: a strategy calls look_at() and then count() for each execution, and is_within_bounds() from time to time.
//           Each of these returns false if the exploration must stop; from then on is_stopped() is true.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "mc/explore.hpp"
#include "mc/history/history.hpp"
#include "mc/history/local_graph.hpp"
#include "mc/strategy/proof_attempt.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/verdict/examiner.hpp"
#include "mc/verdict/execution.hpp"
#include "mc/verdict/ledger.hpp"
#include "mc/verdict/watch.hpp"

namespace rehearse::mc::reduction {
class Moves;
}

namespace rehearse::mc::strategy {

class Session {
 public:
  // The arguments must outlive the session.
  Session(Program& program, const ExploreOptions& options, const Judge& judge);

  // Runs the strategy and makes the verdict. Call it at most once.
  Verdict run(SearchStrategy& strategy);

  Program& program() { return program_; }
  const ExploreOptions& options() const { return options_; }
  std::uint32_t actor_count() const { return actor_count_; }
  history::History& history() { return history_; }
  verdict::Examiner& examiner() { return examiner_; }
  verdict::Ledger& ledger() { return ledger_; }
  verdict::Watch& watch() { return watch_; }
  verdict::Execution& execution() { return execution_; }  // the current one

  bool is_stopped() const { return is_stopped_; }

  // Stops the exploration for this reason.
  void stop(std::string reason) { is_stopped_ = !ledger_.stop(std::move(reason)); }

  // What the verdict says about merging.
  void set_merging(Merging merging) { merging_ = std::move(merging); }
  // What the verdict says about a proof by flow equations.
  void set_flow(FlowProof flow) { flow_ = std::move(flow); }
  // Where the text of a proof goes, also of one by an attempt; null: nowhere.
  void keep_proof_in(std::string& text) {
    proof_text_ = &text;
    if (proof_) proof_->keep_text();
  }
  std::string* proof_text() { return proof_text_; }
  // What the verdict says about predicted executions.
  void set_prediction(Prediction prediction) { prediction_ = std::move(prediction); }

  // `operations`: those of the current exploration that are not in the ledger yet.
  bool is_within_bounds(std::uint64_t operations) {
    operations_ = operations;
    if (is_stopped_) return false;
    auto objection = watch_.objection(ledger_.executions(), ledger_.operations() + operations);
    if (objection) is_stopped_ = !ledger_.stop(std::move(*objection));
    return !is_stopped_;
  }

  // Examines an execution of an exploration that ignores policies. False: the examination was interrupted.
  bool look_at(const graph::Graph& graph, bool is_reached_once) {
    execution_.clear();
    return examiner_.examine(graph, is_reached_once, execution_);
  }

  // Counts the current execution.
  bool count() {
    is_stopped_ = !ledger_.take(execution_);
    return !is_stopped_;
  }

  // Adds limits of the exploration, and the caveats of the actors and of the program so far.
  void add_limits(const verdict::Limits& limits);

  // Whether it is unknown how an execution by `moves` continues. If so, the session adds a limit.
  bool is_left_open(const reduction::Moves& moves);

 private:
  Verdict finish();
  void report_races(Verdict& verdict);

  Program& program_;
  const ExploreOptions& options_;
  std::uint32_t actor_count_;
  history::History history_;
  verdict::Examiner examiner_;
  verdict::Ledger ledger_;
  verdict::Watch watch_;
  verdict::Execution execution_;
  bool is_stopped_ = false;
  std::optional<Merging> merging_;
  std::optional<FlowProof> flow_;
  std::string* proof_text_ = nullptr;
  std::optional<Prediction> prediction_;
  std::optional<history::LocalGraph> counted_;  // with Strategy::counts_merges
  std::optional<ProofAttempt> proof_;           // with Strategy::attempts_proof
  std::uint64_t operations_ = 0;
};

}  // namespace rehearse::mc::strategy
