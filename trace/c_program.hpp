// SPDX-License-Identifier: MIT
//
// A trace of calls as an MPI program in C: a miniature of the recorded program.
//
// Program: each rank makes the calls of the trace, with the same peers, tags and sizes; repeated sequences of calls
//          become loops, and ranks with equal calls share a function. A computation is a loop that takes its flops at
//          FLOPS_PER_SECOND (a macro), or a pause (-DPAUSES). Communicators are made at the start.
// Memory:  the calls of the ranks, each different one once.
// Errors:  of the trace: FILE:LINE, rank and action.
#pragma once

#include <ostream>

#include "simcore/support/result.hpp"
#include "trace/conversion.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace {

// With an action that the program cannot contain, nothing is written.
Result<Conversion> write_c_program(const Trace& trace, std::ostream& out);

}  // namespace rehearse::trace
