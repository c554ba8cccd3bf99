// SPDX-License-Identifier: MIT
//
// From the counter-example that an exploration found to one that people understand: fewer decisions, and an
// explanation. It happens again in simulated time before it takes the place of the old one.
//
// Errors: none; where anything goes wrong, or takes too long, the counter-example stays as it is.
#pragma once

#include "app/counterexample.hpp"
#include "app/machine.hpp"
#include "mc/explore.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::app {

struct InvestigationOptions {
  double seconds = 2;                // about
  double max_step_seconds = 60;
  std::uint64_t max_memory = UINT64_MAX;
  MachineOptions machine = {};       // on which it happens again, and takes too long where that is what was found
};

// `how`: as it was explored. Runs the program anew, in another process.
Counterexample investigated(const Counterexample& found, const mc::ExploreOptions& how, const Judge& judge,
                            const InvestigationOptions& options);

// Where the program has changed: the counter-example with a schedule that fits it, or which decisions do not.
Result<Counterexample> found_again(const Counterexample& counterexample, const InvestigationOptions& options);

}  // namespace rehearse::app
