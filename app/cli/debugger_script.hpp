// SPDX-License-Identifier: MIT
//
// The script for gdb, in gdb's language and in Python.
#pragma once

namespace rehearse::cli {

// Runs the program up to rehearse_ranks_stand(), and defines the commands `rehearse rank R`, `rehearse backtraces` and
// `rehearse leave`.
extern const char* const debugger_script;

}  // namespace rehearse::cli
