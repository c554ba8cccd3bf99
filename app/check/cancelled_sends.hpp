// SPDX-License-Identifier: MIT
//
// Explorations of programs that cancel sends: both outcomes of a cancellation are explored where a message may also be
// received.
//
// An exploration learns the places of such cancellations while it runs. It starts again with the places that it
// learned, until it learns no new one.
// Source: MPI 4.1, section 3.8.4, on the two outcomes of MPI_Cancel.
#pragma once

#include "app/check/common_time.hpp"
#include "app/check/exploration.hpp"

namespace rehearse::app {

// Explores the request, whose time it shares with other explorations. Adds the places of cancelled sends to its job,
// for replays.
Result<Explored> explore_cancelled_sends(CheckRequest& request, const CheckHooks& hooks, CommonTime& time);

}  // namespace rehearse::app
