// SPDX-License-Identifier: MIT
//
// The inspection of GOAL schedules, and of other traces as such.
#pragma once

#include <string>
#include <vector>

#include "trace/inspection.hpp"

namespace rehearse::trace::goal {

Result<Summary> summarise_schedule(const std::string& path);
// Operations and their numbers of dependencies.
Result<std::vector<TraceDifference>> compare_schedules(const std::string& one, const std::string& other,
                                                       bool with_volumes, const GoalConversion& conversion);

}  // namespace rehearse::trace::goal
