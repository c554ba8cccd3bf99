// SPDX-License-Identifier: MIT
//
// How a collective between two groups moves its data: one schedule for each operation.
//
// Shape:  the members of each group that need to work together do so along a binomial tree below the group's first
//         member, its leader; only leaders and roots send to the other group, except in scatter, gather and all-to-all.
//         Members of the root's group other than the root do nothing.
// Source: P. Silva and J. G. Silva, 1999, extended collective operations (a local phase, an exchange between two
//         members, a local phase).
#pragma once

#include "simcore/collective/rounds.hpp"

namespace rehearse::collective {

// Requires shape.first_group between 1 and shape.members-1, and of a rooted operation a known root.
SchedulePtr between_groups(const CollectiveShape& shape);

}  // namespace rehearse::collective
