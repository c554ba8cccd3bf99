// SPDX-License-Identifier: MIT
//
// Operations of a GOAL schedule that never end, and messages that nobody receives, as findings.
#pragma once

#include <vector>

#include "simcore/finding.hpp"
#include "trace/goal.hpp"
#include "trace/log_gops.hpp"

namespace rehearse::app {

std::vector<Finding> schedule_findings(const trace::GoalSchedule& schedule, const trace::LogGopsResult& result);

}  // namespace rehearse::app
