// SPDX-License-Identifier: MIT
//
// Crashes of ranks become their last Operation; a crash of our own code stays one.
//
// Shape:   a signal handler notes where the rank stands and lets it go on in a function of ours, which asks.
// Threads: the handlers are the process's; the alternate stack is the calling thread's.
#pragma once

#include <signal.h>

#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {

// Catches the signals of crashing code from now on, and passes on those that do not come from a rank. Can be
// called again, after somebody else has installed handlers.
void catch_crashes();

// For handlers of signals that came while the rank ran: notes where it stands, and has it go on in `landing` when the
// handler returns. `context` is what the handler was given.
void divert(RankState& rank, siginfo_t* info, void* context, void (*landing)(RankState*));

}  // namespace rehearse::smpi
