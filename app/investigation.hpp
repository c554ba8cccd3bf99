// SPDX-License-Identifier: MIT
//
// Makes a counter-example easier to understand: fewer decisions, and an explanation. The new counter-example replaces
// the old one only if it can be reproduced in simulated time.
//
// Errors: none; if a step fails or takes too long, the counter-example does not change.
#pragma once

#include "app/counterexample.hpp"
#include "app/machine.hpp"
#include "mc/explore.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::app {

struct InvestigationOptions {
  double seconds = 2;  // about
  double max_step_seconds = 60;
  std::uint64_t max_memory = UINT64_MAX;
  MachineOptions machine = {};  // on which it is reproduced, and on which a time bound is exceeded
};

// `how`: the options of the exploration. Runs the program again, in another process.
Counterexample investigated(const Counterexample& found, const mc::ExploreOptions& how, const Judge& judge,
                            const InvestigationOptions& options);

// For a changed program: the counter-example with a fitting schedule, or the decisions that do not fit.
Result<Counterexample> found_again(const Counterexample& counterexample, const InvestigationOptions& options);

}  // namespace rehearse::app
