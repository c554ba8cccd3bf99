// SPDX-License-Identifier: MIT
//
// Executions that take longer on a platform than their limit (time.bound).
#pragma once

#include <optional>
#include <string>

#include "simcore/engine.hpp"
#include "simcore/finding.hpp"

namespace rehearse::properties {

// The finding about this run, which ended without errors; empty if it was fast enough.
std::optional<Finding> judge_time(const RunResult& run, const std::string& platform, double bound_seconds);

}  // namespace rehearse::properties
