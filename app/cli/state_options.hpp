// SPDX-License-Identifier: MIT
//
// The options of `rehearse check` about states of programs: formulas, fairness, limits.
//
// Errors: the option, the value and its fault; of MPI programs also options that formulas exclude.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/actor_check.hpp"
#include "app/check.hpp"
#include "app/cli/verb_options.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

struct StateOptions {
  std::vector<std::string> formulas;
  std::string fairness = "weak";
  std::uint64_t max_steps = 20'000, max_states = 100'000;
};

void declare(OptionSet& app, StateOptions& options);
Result<app::StateQuestions> read_state_options(const StateOptions& options, const OptionSet& app);  // of an MPI program
Result<void> read_state_options(const StateOptions& options, app::ActorCheckRequest& request);

}  // namespace rehearse::cli
