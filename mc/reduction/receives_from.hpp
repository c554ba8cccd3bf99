// SPDX-License-Identifier: MIT
//
// Receives-from exploration of execution graphs: reaches each class of executions along exactly one path.
//
// Depth first. The graph grows under a fixed scheduler (ExecutionBuilder). An observation with several options takes
// the first one; backtracking tries the others (forward revisits). A new send is offered to the earlier observations
// that could have read it (backward revisits: Revisits). The Trail has the decisions and the remaining alternatives.
//
// Memory:  linear in the length of one execution, apart from the History.
// Source:  as mc/graph/graph.hpp; departures as mc/reduction/execution_builder.hpp, tested against brute force.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "mc/reduction/execution_builder.hpp"
#include "mc/reduction/race_finder.hpp"
#include "mc/reduction/revisits.hpp"
#include "mc/reduction/trail.hpp"

namespace rehearse::mc::reduction {

class ReceivesFromExplorer {
 public:
  // Called with each maximal execution; false stops the exploration.
  using Visitor = std::function<bool(const graph::Graph&)>;

  // Called at intervals, also in the middle of an execution; false stops.
  using GoesOn = std::function<bool(const ReceivesFromExplorer&)>;

  static constexpr std::uint64_t events_between_questions = 1024;

  ReceivesFromExplorer(history::History& history, std::uint32_t actors, std::uint32_t polls, GoesOn goes_on)
      : builder_(history, actors, polls), revisits_(builder_), goes_on_(std::move(goes_on)) {}
  ReceivesFromExplorer(const ReceivesFromExplorer&) = delete;
  ReceivesFromExplorer& operator=(const ReceivesFromExplorer&) = delete;

  // True: the exploration is complete. False: it was stopped; the next call continues.
  bool run(const Visitor& visit);

  // Replaces GoesOn and the number of events between two calls.
  void ask(GoesOn goes_on, std::uint64_t events_between = events_between_questions) {
    goes_on_ = std::move(goes_on);
    events_between_ = events_between;
  }

  // Goes to the place of the Path; run() then explores the part that the Path describes. Only before run(). Throws
  // PathLost.
  void load(const Path& path);

  // The visitor has not finished the current execution: after a stop, run() visits it again.
  void visit_again() { is_at_leaf_ = false; }

  // After a stop: whether it is certain that no work remains. False also if only run() can find out.
  bool is_exhausted() const { return is_at_leaf_ && !trail_.may_have_alternatives(); }

  // The remaining work. Not to be called after run() has returned true.
  Path remaining() const { return trail_.write_down(trail_.size(), is_at_leaf_); }

  // Between two executions: see Trail.
  std::optional<Donation> donate();
  void give_up(const Cut& cut) { trail_.give_up(cut); }
  double position() const { return is_first_ && !is_at_leaf_ ? 0 : trail_.position(is_at_leaf_); }

  // Sets the deviation bound: visits only executions with at most this many deviations. Only before run().
  void limit_deviations(std::uint32_t most) { deviations_max_ = most; }
  std::uint32_t deviations() const { return trail_.deviations(); }           // of the current execution
  bool has_left_deviations_out() const { return has_left_deviations_out_; }  // whether the bound excluded any
  const Trail& trail() const { return trail_; }

  // Called by the visitor: see RaceFinder.
  void find_races(const RaceFinder::Places& known, const std::function<bool()>& counts, std::vector<Race>& races) {
    races_.find(trail_, graph(), known, counts, races);
  }

  std::uint64_t events() const { return events_; }
  const graph::Graph& graph() const { return builder_.graph(); }
  const ExecutionBuilder& builder() const { return builder_; }

 private:
  using Entry = Trail::Entry;

  bool go_through(const Visitor& visit);
  bool visit_leaf(const Visitor& visit);
  bool step();
  void push(ExecutionBuilder::Added added);
  bool count_event() { return ++events_ % events_between_ != 0 || goes_on_(*this); }
  void forget_histories();

  bool backtrack();
  bool may_deviate(const Entry& entry);
  bool next_option(Entry& entry);
  bool next_revisit();
  bool try_revisit(graph::EventRef offered, CandidateIndex candidate, const graph::Option& option);
  void undo_revisit();
  graph::EventRef newest_of(const Entry& entry) const;

  void grow_to(std::size_t length);
  void take(const Deviation& deviation);

  ExecutionBuilder builder_;
  Revisits revisits_;
  Trail trail_;
  RaceFinder races_;
  GoesOn goes_on_;
  std::uint64_t events_ = 0;
  std::uint64_t events_between_ = events_between_questions;
  bool is_at_leaf_ = false;  // the execution of the current trail was visited
  bool is_first_ = true;     // no execution was visited yet: position() is 0, without a walk along the trail
  std::uint32_t deviations_max_ = no_limit;
  bool has_left_deviations_out_ = false;
};

}  // namespace rehearse::mc::reduction
