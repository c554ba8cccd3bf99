// SPDX-License-Identifier: MIT
//
// The options of all verbs that replay traces on a platform.
#pragma once

#include <string>

#include "app/trace_replay.hpp"

namespace rehearse::cli {

class OptionSet;

// The argument TRACE. `takes_goal`: it may be a GOAL schedule, too.
void declare_trace(OptionSet& app, std::string& file, bool takes_goal = false);

// Machine, messages and alterations.
void declare_replay(OptionSet& app, app::TraceReplayRequest& request);

}  // namespace rehearse::cli
