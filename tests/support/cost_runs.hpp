// SPDX-License-Identifier: MIT
//
// Helpers for tests of cost models: platforms from a few lines of XML, and running until nothing is active.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "simcore/cost_model.hpp"

namespace rehearse::testing {

// The inside of a zone with full routing. The test fails where it cannot be read.
Platform platform_of(const std::string& inside);

std::unique_ptr<CostModel> costs_of(const Platform& platform, ModelOptions options);
std::unique_ptr<CostModel> costs_of(const Platform& platform, const std::string& network);

// Runs until nothing is active, or until a date: the end of each activity in seconds, negative if it failed.
std::map<std::uint32_t, double> run(CostModel& costs);
void run_until(CostModel& costs, double seconds, std::map<std::uint32_t, double>& ends);

TimePoint at(double seconds);

// To 1e-9 relative, and the picosecond that time is counted in.
bool is_close(double actual, double expected);

}  // namespace rehearse::testing
