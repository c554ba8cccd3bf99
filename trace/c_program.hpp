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
#include <string>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace {

struct WrittenProgram {
  std::string unsupported;        // an action that the program cannot contain, and why; then nothing was written
  std::vector<std::string> lost;  // facts of the trace that the program does not have, one text for each kind
};

Result<WrittenProgram> write_c_program(const Trace& trace, std::ostream& out);

}  // namespace rehearse::trace
