// SPDX-License-Identifier: MIT
//
// Schedules of collectives between two groups, one for each operation.
//
// Shape:  the members of a group communicate along a binomial tree below its first member, the leader. Only leaders and
//         roots send to the other group, except in scatter, gather and all-to-all. Members of the root's group other
//         than the root do nothing.
// Source: P. Silva and J. G. Silva, 1999, extended collective operations (a local phase, an exchange between two
//         members, a local phase).
#pragma once

#include "simcore/collective/rounds.hpp"

namespace rehearse::collective {

// Requires shape.first_group between 1 and shape.members - 1. A rooted operation requires a known root.
SchedulePtr between_groups(const CollectiveShape& shape);

}  // namespace rehearse::collective
