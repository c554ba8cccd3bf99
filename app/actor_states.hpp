// SPDX-License-Identifier: MIT
//
// Explores the states of a program of the actor API, every order of steps, and searches them for executions that never
// end or contradict a formula.
//
// Method: breadth-first; whenever the graph has doubled it is searched, so that a loop in endless many states can be
//         found. Equal images are one state.
// Errors: a program that cannot be started; a formula that is too large, or whose values are ambiguous (inconclusive).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/actor_step.hpp"
#include "mc/fair_lasso.hpp"
#include "mc/temporal_formula.hpp"
#include "simcore/finding.hpp"
#include "simcore/remote_actor_states.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// A formula to check.
struct LtlRequest {
  std::string text;
  mc::TemporalFormula formula;
};

struct StateSearchRequest {
  std::string path;  // of the program
  std::vector<std::string> arguments;
  std::vector<LtlRequest> formulas;  // all must hold
  bool finds_endless = false;        // an execution that never ends is a finding
  mc::Fairness fairness = mc::Fairness::weak;
  std::uint64_t max_states = 100'000;
  double max_step_seconds = 60;
  bool all_findings = false;                         // otherwise stop at the first error
  StopToken stop = {};                               // with the results so far
  std::function<bool(const Finding&)> is_wanted;     // by its id
  std::function<void(std::uint64_t)> progress = {};  // number of states
};

// A finding, and the steps that lead to it. With a loop, the last `loop` steps repeat forever; a loop of 0 steps: the
// execution ends, and its last state stays.
struct StateFinding {
  Finding finding;  // its schedule makes the steps, and those of the loop twice
  std::vector<ActorStep> steps;
  std::optional<std::uint32_t> loop = {};  // none: the execution ends with the error
};

struct StateSearch {
  std::uint64_t states = 0, steps = 0;  // of the explored graph
  std::vector<StateFinding> findings;
  bool reads_dates = false;          // some actor, in some state
  std::vector<std::string> reasons;  // why it is not complete; empty: it is
};

Result<StateSearch> search_states(const StateSearchRequest& request);

}  // namespace rehearse::app
