// SPDX-License-Identifier: MIT
//
// The event loop of LogGOPS; trace/log_gops.hpp has the model.
#pragma once

#include "trace/log_gops.hpp"

namespace rehearse::trace::log_gops {

// No date may exceed 63 bits, and the schedule has at most `most_ranks` ranks (progress.hpp).
LogGopsResult run_simulation(const GoalSchedule& schedule, const LogGopsParameters& parameters);

}  // namespace rehearse::trace::log_gops
