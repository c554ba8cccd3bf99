// SPDX-License-Identifier: MIT
//
// Judges the predicates that a program publishes in an execution, each predicate once.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mc/buffering/policy_replay.hpp"
#include "mc/predicates/declared.hpp"
#include "mc/verdict/execution.hpp"

namespace rehearse::mc::predicates {

class PredicateJudge {
 public:
  PredicateJudge(Program& program, const ExploreOptions& options) : program_(program), options_(options) {}

  // Whether an actor of the graph has published a predicate.
  bool is_asked(const graph::Graph& graph) const;

  // Causes of the findings of the execution, which ends with this outcome under the first policy. `is_known`: whether a
  // cause of this shape was reported before.
  std::vector<verdict::Cause> judge(const graph::Graph& graph, const buffering::PolicyOutcome& outcome,
                                    const std::function<bool(const history::Hash128&)>& is_known);

 private:
  const Predicate& read(const std::string& text);

  Program& program_;
  const ExploreOptions& options_;
  std::map<std::string, Predicate> predicates_;
};

}  // namespace rehearse::mc::predicates
