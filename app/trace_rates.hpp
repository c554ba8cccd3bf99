// SPDX-License-Identifier: MIT
//
// The rates of a program's regions, from two recordings of it: one with its volumes, one with its processor times.
//
// Errors: as of replay_trace(); recordings with other volumes, or other numbers of ranks.
#pragma once

#include <string>
#include <vector>

#include "app/json.hpp"
#include "app/recorded_volume.hpp"
#include "app/trace_replay.hpp"

namespace rehearse::app {

// `volumes`: the replay of the recording with volumes. `times`: the file of the other one.
Result<std::vector<RegionRate>> measure_rates(const TraceReplayRequest& volumes, const std::string& times);

// The content of a rate file.
Json to_json(const std::vector<RegionRate>& rates);

}  // namespace rehearse::app
