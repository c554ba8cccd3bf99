// SPDX-License-Identifier: MIT
//
// The activities of actors as activities of a cost model.
//
// Threads: none.
#pragma once

#include <optional>

#include "simcore/cost_model.hpp"
#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

// Starts it in the model. No value: there is no route. Not for pauses and messages of queues, which have no cost.
std::optional<ActivityId> start_cost(CostModel& costs, const ActivityRecord& activity, TimePoint now);

}  // namespace rehearse::sim::kernel
