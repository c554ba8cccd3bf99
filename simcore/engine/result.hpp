// SPDX-License-Identifier: MIT
//
// The result of a timed run: the date, place and state of each actor at its end, and pending requests.
#pragma once

#include "simcore/engine.hpp"
#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/messages.hpp"
#include "simcore/engine/pool.hpp"
#include "simcore/engine/requests.hpp"
#include "simcore/engine/run_state.hpp"

namespace rehearse::engine {

// Call it once, at the end: it moves the results out of the parts.
RunResult make_result(RunState& run, ActorTable& actors, Messages& messages, Pool<Message>& pool, Requests& requests);

}  // namespace rehearse::engine
