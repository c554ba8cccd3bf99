// SPDX-License-Identifier: MIT
//
// Explorations of programs whose ranks start others (MPI_Comm_spawn): the number of actors of an exploration is fixed,
// so it must know all groups of ranks that an execution may start.
//
// An exploration learns while it runs which further groups there are (smpi/spawned_group.hpp), and starts again with
// them until it learns no new one. The ranks of a group that an execution does not start are never born in it
// (simcore/birth.hpp). To learn early, explorations of single executions come first.
#pragma once

#include "app/check/common_time.hpp"
#include "app/check/exploration.hpp"

namespace rehearse::app {

// Explores the request, whose time it shares with other explorations. Adds the groups to its job, for replays.
Result<Explored> explore_started_ranks(CheckRequest& request, const CheckHooks& hooks, CommonTime& time);

}  // namespace rehearse::app
