// SPDX-License-Identifier: MIT
//
// How a trace is replayed: as calls or as a schedule on a platform, or in the LogGOPS model; and the model's options.
#pragma once

#include <cstdint>

#include "app/log_gops_replay.hpp"
#include "app/trace_replay.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

class OptionSet;

// --loggops, --speed.
void declare(OptionSet& app, app::LogGopsRequest& request);

enum class ReplayKind : std::uint8_t { calls, schedule, log_gops };

// By the format of the file and the options. LogGOPS is the model of --network loggops, and of GOAL schedules without
// --on and --network. Completes the request for this kind: the file, wildcards, algorithms and speed. Errors: options
// that do not apply to it.
Result<ReplayKind> choose_replay(app::TraceReplayRequest& request, app::LogGopsRequest& log_gops,
                                 const OptionSet& given);

}  // namespace rehearse::cli
