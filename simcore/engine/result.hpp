// SPDX-License-Identifier: MIT
//
// How a timed run ended: who stopped when and where, and what is left over.
#pragma once

#include "simcore/engine.hpp"
#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/messages.hpp"
#include "simcore/engine/pool.hpp"
#include "simcore/engine/requests.hpp"
#include "simcore/engine/run_state.hpp"

namespace rehearse::engine {

// Once, at the end: takes what the parts have collected.
RunResult make_result(RunState& run, ActorTable& actors, Messages& messages, Pool<Message>& pool, Requests& requests);

}  // namespace rehearse::engine
