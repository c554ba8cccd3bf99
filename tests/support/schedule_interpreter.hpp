// SPDX-License-Identifier: MIT
//
// Runs a collective schedule with symbols instead of data, and reports its errors.
//
// Checks: every member finishes, with buffered messages and without (no cycle); every message is received; sent data
//         was present when its round began; no contribution is combined twice; only consecutive members are combined if
//         the operator does not commute; every member ends with the result that the definition of the operation
//         requires.
#pragma once

#include <string>

#include "simcore/collective_schedule.hpp"

namespace rehearse::testing {

// The first error; empty: none. At most 64 members.
std::string problem_of(const CollectiveSchedule& schedule, const CollectiveShape& shape);

// The number of messages that the schedule sends.
std::uint64_t count_messages(const CollectiveSchedule& schedule, std::uint32_t members);

}  // namespace rehearse::testing
