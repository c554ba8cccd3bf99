// SPDX-License-Identifier: MIT
//
// Runs a collective schedule with symbols instead of data, and says what is wrong with it.
//
// Checks: every member gets through, with buffered messages and without (no cycle); every message is received; what
//         is sent was there when its round began; no contribution is combined twice; combinations are of consecutive
//         members where the operator does not commute; every member ends with what the definition of the operation
//         says.
#pragma once

#include <string>

#include "simcore/collective_schedule.hpp"

namespace rehearse::testing {

// Empty: nothing is wrong. At most 64 members.
std::string problem_of(const CollectiveSchedule& schedule, const CollectiveShape& shape);

// How many messages it sends.
std::uint64_t count_messages(const CollectiveSchedule& schedule, std::uint32_t members);

}  // namespace rehearse::testing
