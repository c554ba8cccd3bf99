// SPDX-License-Identifier: MIT
//
// Options for the reading of traces: of calls as GOAL schedules, of wildcards in recordings.
#pragma once

#include <string>

#include "app/log_gops_replay.hpp"

namespace rehearse::cli {

class OptionSet;

// --speed.
void declare(OptionSet& app, trace::GoalConversion& conversion);

// --wildcards.
void declare(OptionSet& app, trace::Wildcards& wildcards);

// `words`: as for --collective-algorithms. The error lists the algorithms that there are.
Result<void> set_algorithms(const std::string& words, trace::GoalConversion& conversion);

}  // namespace rehearse::cli
