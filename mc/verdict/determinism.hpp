// SPDX-License-Identifier: MIT
//
// Compares the output, sends and results of every execution with those of the first one.
//
// Shape: per actor, and only of executions that end well: the bytes that it wrote, per stream; its results (see
//        simcore/published.hpp) in order; or its sends in order, each with destination, tag, mode and data
//        (send-determinism: Cappello, Guermouche, Snir, "On Communication Determinism in Parallel HPC Applications",
//        ICCCN 2010). Each actor and kind is reported once.
// Threads: none. The first execution that is looked at is the one that others are compared with: forked processes
//          continue
//        with the same if it was looked at before.
#pragma once

#include <optional>
#include <vector>

#include "mc/explore_options.hpp"
#include "mc/graph/graph.hpp"
#include "mc/history/history.hpp"
#include "mc/verdict/execution.hpp"

namespace rehearse::mc::verdict {

class Determinism {
 public:
  Determinism(Program& program, history::History& history, const ExploreOptions& options);

  bool is_asked_for() const { return !compared_.empty(); }
  bool can_be_divided() const { return !is_asked_for() || first_.has_value(); }

  // Causes of reported differences from the first execution. Their shapes contain the actor and the kind.
  std::vector<Cause> compare(const graph::Graph& graph);

 private:
  struct Compared {
    Difference::Kind kind;
    std::uint64_t history::ObservableEffects::*effects;
  };

  static std::vector<const history::Node*> nodes_of(const graph::Graph& graph, std::uint32_t actor);
  Location where_reported(const history::Node& node);
  Location where_it_stands(const history::Node& node);
  Cause cause_of(const graph::Graph& graph, std::uint32_t actor, const Compared& what);

  Program& program_;
  history::History& history_;
  const DifferenceReporter& report_;
  std::vector<Compared> compared_;
  // By actor: what it had done when it came to each of its Operations.
  std::optional<std::vector<std::vector<history::ObservableEffects>>> first_;
  Schedule first_schedule_;
};

}  // namespace rehearse::mc::verdict
