// SPDX-License-Identifier: MIT
//
// One simulation of a schedule that was read, for all uses of the LogGOPS model.
#pragma once

#include "app/log_gops_replay.hpp"
#include "trace/goal_conversion.hpp"

namespace rehearse::app {

// Of a conversion that is not supported, the replay has the reason and nothing else.
Result<LogGopsReplay> simulate(const trace::ConvertedTrace& read, const trace::LogGopsParameters& parameters);

}  // namespace rehearse::app
