// SPDX-License-Identifier: MIT
//
// A trace of calls as an MPI program in C, for `rehearse trace convert --to c` and for C++ programs.
//
// Errors: the trace, with file and line; the output, which is removed then.
#pragma once

#include <string>

#include "simcore/support/result.hpp"
#include "trace/c_program.hpp"

namespace rehearse::app {

Result<trace::WrittenProgram> convert_to_c(const std::string& input, const std::string& output);

}  // namespace rehearse::app
