// SPDX-License-Identifier: MIT
//
// The order of blocking accesses in atomic mode, where members keep the content of the file in their memory.
//
// Method:  an access takes a turn: a section of the lock of a hidden window, exclusive for a write, shared for a read.
//          Within its turn it first brings the member's copy up to date by the log of all writes of earlier turns,
//          which is in the window. So explorations try each order of writes, and each place of a read among them.
// Limits:  the log has 64 kB. A write that does not fit leaves out outcomes, by name.
// Source:  MPI 5.0, 14.6.1.
#pragma once

#include <span>

#include "smpi/file/file.hpp"

namespace rehearse::smpi {

// Collective; opens the log at the first call.
void open_atomic_log(File& file, const char* call);
void close_atomic_log(File& file);

// Whether a blocking access takes turns.
bool takes_turns(const File& file);

void begin_turn(File& file, bool writes);
// `written`: the bytes that the access has written to the member's copy.
void end_turn(File& file, bool writes, std::span<const FileRange> written);

// Collective: all copies are the same in all bytes of the log.
void settle_atomic_log(File& file, const char* call);

}  // namespace rehearse::smpi
