// SPDX-License-Identifier: MIT
//
// The report of a replay in the LogGOPS model.
#pragma once

#include <string>

#include "app/json.hpp"
#include "app/log_gops_replay.hpp"

namespace rehearse::cli {

// Has the keys of other replays, except those without a meaning in this model.
app::Json log_gops_report(const app::LogGopsReplay& replay, const trace::LogGopsParameters& parameters);

// "16 ranks took 0.000012500 s (network loggops, 300 actions of a trace)".
std::string summary_of(const app::LogGopsReplay& replay);

}  // namespace rehearse::cli
