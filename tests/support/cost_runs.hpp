// SPDX-License-Identifier: MIT
//
// Helpers for tests of cost models: platforms from a few lines of XML, and runs until no activity remains.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "simcore/cost_model.hpp"

namespace rehearse::testing {

// `inside` is the content of a zone with full routing. The test fails if it cannot be read.
Platform platform_of(const std::string& inside);

std::unique_ptr<CostModel> costs_of(const Platform& platform, ModelOptions options);
std::unique_ptr<CostModel> costs_of(const Platform& platform, const std::string& network);

// Runs until no activity remains, or until a date. Gives the end of each activity in seconds, negative if it failed.
std::map<std::uint32_t, double> run(CostModel& costs);
void run_until(CostModel& costs, double seconds, std::map<std::uint32_t, double>& ends);

TimePoint at(double seconds);

// With a relative tolerance of 1e-9, and an absolute one of a picosecond, the resolution of time.
bool is_close(double actual, double expected);

}  // namespace rehearse::testing
