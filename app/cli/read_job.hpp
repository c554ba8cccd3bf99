// SPDX-License-Identifier: MIT
//
// A job on the command line.
//
// Form:   PROGRAM ARGS... [: -n N PROGRAM ARGS...]..., as for the standard's mpiexec (MPI 4.1, section 11.5). The
//         ranks of a program follow those of the programs before it.
// Errors: the fault after a colon, and the accepted form; the places where a program was searched.
#pragma once

#include <cstdint>
#include <string>

#include "app/cli/verbs.hpp"
#include "app/job.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

// The program's file: a name without '/' is searched in the current folder first, then in PATH. The error names the
// searched places.
Result<std::string> find_program(const std::string& name);

// `words` begin with the first program, which has `ranks` ranks. find_program() finds the programs.
Result<app::Job> read_job(const Arguments& words, std::uint32_t ranks);

}  // namespace rehearse::cli
