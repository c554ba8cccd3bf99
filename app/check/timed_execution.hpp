// SPDX-License-Identifier: MIT
//
// One execution in simulated time of a program that cannot be explored: its errors are errors of the program.
#pragma once

#include <vector>

#include "app/counterexample.hpp"
#include "simcore/finding.hpp"

namespace rehearse::app {

// The errors of the execution under the policy of `of`, whose finding is ignored, in a child process. Empty: there are
// none, or the execution did not end in time. A rank that computes longer than `step_seconds` without a call is at
// fault.
std::vector<Finding> errors_in_time(const Counterexample& of, double step_seconds);

}  // namespace rehearse::app
