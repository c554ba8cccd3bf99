// SPDX-License-Identifier: MIT
//
// Compares the output, sends and results of every execution with those of the first one.
//
// Shape:   compares, for each actor in executions that end well: the bytes that it wrote, per stream; its results in
//          order (simcore/published.hpp); its sends in order, each with destination, tag, mode and data. Each actor and
//          kind is reported once.
// Threads: none. The first execution examined is the one that all others are compared with. Forked processes compare
//          with the same one if it was examined before the fork.
// Source:  Cappello, Guermouche, Snir, "On Communication Determinism in Parallel HPC Applications", ICCCN 2010, for
//          send-determinism.
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

  // The differences from the first execution. The shape of a cause identifies the actor and the kind.
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
  // By actor: its effects up to each of its Operations.
  std::optional<std::vector<std::vector<history::ObservableEffects>>> first_;
  Schedule first_schedule_;
};

}  // namespace rehearse::mc::verdict
