// SPDX-License-Identifier: MIT
//
// The engine's options for the replay of a trace.
#pragma once

#include "app/trace_replay.hpp"

namespace rehearse::app {

// `has_reductions`: the trace has the volumes of reductions.
EngineOptions engine_options_of(const TraceReplayRequest& request, const Machine& machine, bool has_reductions);

}  // namespace rehearse::app
