// SPDX-License-Identifier: MIT
//
// Schedules without their idle ranks: those without operations, to which no rank sends.
//
// Why:    a simulation keeps about 140 bytes for each rank, or more. A line of text can ask for 16 million ranks.
// Order:  the other ranks and all operations keep their order, so the simulation is the same.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/log_gops.hpp"

namespace rehearse::trace::log_gops {

struct BusyRanks {
  GoalSchedule schedule;             // of these ranks only; without files and lines
  std::vector<std::uint32_t> ranks;  // their numbers in the whole schedule, ascending
};

// Whether most of the work would be that for idle ranks.
bool has_many_idle_ranks(const GoalSchedule& schedule);
BusyRanks busy_ranks(const GoalSchedule& schedule);
// Idle ranks end at 0.
void add_idle_ranks(LogGopsResult& result, const BusyRanks& busy, std::uint32_t all);

}  // namespace rehearse::trace::log_gops
