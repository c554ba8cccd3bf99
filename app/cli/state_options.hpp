// SPDX-License-Identifier: MIT
//
// The options of `rehearse check` about the states of programs of actors: formulas, fairness, limits.
//
// Errors: MPI programs refuse them by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/actor_check.hpp"
#include "app/cli/verb_options.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

struct StateOptions {
  std::vector<std::string> formulas;
  std::string fairness = "weak";
  std::uint64_t max_steps = 20'000, max_states = 100'000;
};

void declare(OptionSet& app, StateOptions& options);
Result<void> refuse_state_options(const OptionSet& app);  // those that were given
Result<void> read_state_options(const StateOptions& options, app::ActorCheckRequest& request);

}  // namespace rehearse::cli
