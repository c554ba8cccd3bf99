// SPDX-License-Identifier: MIT
//
// A schedule made to happen again without time: for findings about what may happen, which need not show at the dates of
// one machine, such as a message that may arrive before its receive is posted.
#pragma once

#include "app/counterexample.hpp"

namespace rehearse::app {

// Whether the schedule leads to the finding. Runs the program in a process of its own.
bool happens_without_time(const Counterexample& counterexample, double step_seconds);

}  // namespace rehearse::app
