// SPDX-License-Identifier: MIT
//
// Crashes of ranks become their last Operation; a crash of Rehearse itself stays a crash.
//
// Shape:   a signal handler notes where the rank stands and lets it continue in a function of ours, which asks.
// Threads: the handlers are the process's; the alternate stack is the calling thread's.
#pragma once

#include <signal.h>

#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {

// Catches the signals of crashing code from now on, and passes on those that do not come from a rank. Can be
// called again, after somebody else has installed handlers.
void catch_crashes();

// Opens the memory at the address for the driver. False: it is not closed.
using OpenMemory = bool (*)(void* program, const void* address);

// From now on a driver that looks at what a rank left there (Operations, until the rank is resumed) finds it open. One
// program at a time can ask for it; null: none.
void open_when_touched(OpenMemory open, void* program);

// Whether the rank crashed because it used memory of another rank, which was closed to it.
bool has_touched_others(const RankState& rank);

// For handlers of signals that came while the rank ran: notes where it stands, and has it continue in `landing` when
// the handler returns. `context` is what the handler was given.
void divert(RankState& rank, siginfo_t* info, void* context, void (*landing)(RankState*));

}  // namespace rehearse::smpi
