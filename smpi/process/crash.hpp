// SPDX-License-Identifier: MIT
//
// Crashes of ranks become their last Operation; a crash of Rehearse itself stays a crash.
//
// Shape:   a signal handler notes the position of the rank and lets it continue in our own function, which makes the
//          Operation.
// Threads: the handlers are the process's; the alternate stack is the calling thread's.
#pragma once

#include <signal.h>

#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {

// Catches the signals of crashing code from now on, and passes on those that do not come from a rank. Can be called
// again, after other code has installed handlers.
void catch_crashes();

// Opens closed memory at the address for the driver. False: the memory is not closed.
using OpenMemory = bool (*)(void* program, const void* address);

// From now on, a driver that reads data of a rank there (Operations, until the rank is resumed) finds the memory open.
// Serves one program at a time; null: none.
void open_when_touched(OpenMemory open, void* program);

// Whether the rank crashed because it accessed memory of another rank, which was closed.
bool has_touched_others(const RankState& rank);

// For handlers of signals that came while the rank ran: notes the position of the rank, and lets it continue in
// `landing` when the handler returns. `context` is the argument of the handler.
void divert(RankState& rank, siginfo_t* info, void* context, void (*landing)(RankState*));

}  // namespace rehearse::smpi
