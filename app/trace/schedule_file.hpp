// SPDX-License-Identifier: MIT
//
// A GOAL schedule from a file of any format of traces.
#pragma once

#include <string>

#include "simcore/support/result.hpp"
#include "trace/goal_conversion.hpp"

namespace rehearse::app {

Result<trace::ConvertedTrace> read_schedule(const std::string& file, const trace::GoalConversion& conversion,
                                            trace::Wildcards wildcards);

}  // namespace rehearse::app
