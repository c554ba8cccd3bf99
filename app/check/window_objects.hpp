// SPDX-License-Identifier: MIT
//
// Explorations of programs with windows in epochs of locks: ranks then exchange accesses as messages, with objects such
// as locks (smpi/window_model.hpp).
//
// An exploration learns while it runs which objects the program needs. Then single executions learn more of them, as
// long as they can, because they are short. The exploration starts again with all of them, until it learns no new one.
#pragma once

#include "app/check/exploration.hpp"

namespace rehearse::app {

// Explores the request. Adds the objects to its job, for replays.
Result<Explored> explore_windows(CheckRequest& request, const CheckHooks& hooks);

}  // namespace rehearse::app
