// SPDX-License-Identifier: MIT
//
// The options of all verbs that replay traces on a platform.
#pragma once

#include <string>

#include "app/trace_replay.hpp"

namespace rehearse::cli {

class OptionSet;

// The argument TRACE.
void declare_trace(OptionSet& app, std::string& file);

// Machine, messages and alterations.
void declare_replay(OptionSet& app, app::TraceReplayRequest& request);

}  // namespace rehearse::cli
