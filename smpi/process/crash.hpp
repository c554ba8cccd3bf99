// SPDX-License-Identifier: MIT
//
// Crashes of ranks become their last Operation; a crash of our own code stays one.
//
// Threads: the handlers are the process's; the alternate stack is the calling thread's.
#pragma once

namespace rehearse::smpi {

// Catches the signals of crashing code from now on, and passes on those that do not come from a rank. Can be
// called again, after somebody else has installed handlers.
void catch_crashes();

}  // namespace rehearse::smpi
