// SPDX-License-Identifier: MIT
//
// The search of the states of all ranks (mc/state_search.hpp) for a check: executions that never end, and formulas.
//
// Process: the search loads the program again, in a child process, so that it can run in the middle of an exploration.
//          A child that dies or takes too long has a reason and no lassos.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/check.hpp"
#include "app/counterexample.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct RankStates {
  std::uint64_t states = 0, steps = 0;  // of all policies
  // Findings with their steps, loop, operations and policy; the rest of the counter-examples is empty. A finding about
  // a formula with values that no rank publishes has no steps.
  std::vector<Counterexample> lassos;
  std::vector<std::string> reasons;      // why the answer is not complete; empty: it is
  std::vector<std::string> assumptions;  // of a complete answer
};

// Whether a check of this request looks for executions that never end while it explores.
bool looks_for_endless(const CheckRequest& request);

// Searches for an execution that never ends, for a few seconds.
RankStates endless_execution(const CheckRequest& request, const StopToken& stop);

// Searches for executions that contradict the formulas of the request, under each of its policies.
Result<RankStates> search_formulas(const CheckRequest& request, const StopToken& stop);

}  // namespace rehearse::app
