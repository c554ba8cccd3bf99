// SPDX-License-Identifier: MIT
//
// The standard streams and the end of the user's program, of which this process is one.
#pragma once

#include <string>

namespace rehearse::real {

// What the program has written so far leaves its buffers.
void flush_output();
// Writes the text to the standard output and the standard error, behind what the program has written.
void write_mark(const std::string& text);
// The run for real cannot go on. `text`: for the standard error; empty: the reason is known.
[[noreturn]] void leave_program(const std::string& text = {});

}  // namespace rehearse::real
