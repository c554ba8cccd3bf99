// SPDX-License-Identifier: MIT
//
// Reasons why the simulated time of a replay does not mean what it seems to mean.
#pragma once

#include <string>
#include <vector>

#include "app/trace_replay.hpp"

namespace rehearse::app {

// Sentences without a full stop: frozen answers, another eager limit, computation that dominates, shared hosts.
std::vector<std::string> caveats_of(const TraceReplayRequest& request, const TraceReplay& replay);

}  // namespace rehearse::app
