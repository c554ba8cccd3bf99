// SPDX-License-Identifier: MIT
//
// Replays a schedule without simulated time: for findings that are possible, but need not happen at the dates of one
// machine, such as a message that may arrive before its receive is posted.
#pragma once

#include "app/counterexample.hpp"

namespace rehearse::app {

// Whether the schedule leads to the finding. Runs the program in a process of its own.
bool happens_without_time(const Counterexample& counterexample, double step_seconds);

}  // namespace rehearse::app
