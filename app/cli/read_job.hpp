// SPDX-License-Identifier: MIT
//
// A job on the command line.
//
// Form:   PROGRAM ARGS... [: -n N PROGRAM ARGS...]..., as the standard's mpiexec has it (MPI 4.1, section 11.5). The
//         ranks of a program follow those of the programs before it.
// Errors: what is wrong behind which colon, and what is accepted; where a program was looked for.
#pragma once

#include <cstdint>
#include <string>

#include "app/cli/verbs.hpp"
#include "app/job.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

// The file that a shell would run: a name without '/' is searched in the current folder first, then
// along PATH. The error says where it was looked for.
Result<std::string> find_program(const std::string& name);

// `words` begin with the first program, which has `ranks` ranks. Programs are found as a shell finds them.
Result<app::Job> read_job(const Arguments& words, std::uint32_t ranks);

}  // namespace rehearse::cli
