// SPDX-License-Identifier: MIT
//
// Checks a program of the actor API: explores the orders in which its actors can act, judges each, and writes a
// counter-example of the first error. This is `rehearse check` for such programs.
//
// Process: the program runs in processes of its own (simcore/remote_actor_program.hpp).
// Errors:  a program that cannot be started, or that ends before its first run(); a file that cannot be written.
#pragma once

#include <string>
#include <vector>

#include "app/actor_states.hpp"
#include "app/check.hpp"
#include "app/check_report.hpp"
#include "app/counterexample.hpp"
#include "mc/explore_options.hpp"
#include "properties/selection.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct ActorCheckRequest {
  std::string path;     // of the program
  std::string program;  // its name in reports
  std::vector<std::string> arguments;
  mc::Strategy strategy;  // depth-first with odpor or none; random or bounded with matching, which is none here
  mc::Bounds bounds;
  properties::Selection selection;
  bool warnings_as_errors = false;
  std::string counterexample;   // file for the first error; empty: none is written
  double minimise_seconds = 2;  // 0: the counter-example is not minimised
  // Formulas that must hold in each fair execution. Empty: the ends of executions are judged by the strategy; if an
  // execution takes more than max_steps steps, states are explored instead, and an endless execution is a finding.
  std::vector<LtlRequest> formulas = {};
  mc::Fairness fairness = mc::Fairness::weak;
  std::uint64_t max_steps = 20'000;
  std::uint64_t max_states = 100'000;
};

// The counter-example of a finding, without the hash of the program.
Counterexample counterexample_of(const ActorCheckRequest& request, const Finding& finding);

Result<CheckReport> check_actors(const ActorCheckRequest& request, const CheckHooks& hooks = {});

}  // namespace rehearse::app
