// SPDX-License-Identifier: MIT
//
// Other programs as children of this process.
//
// Errors: the program cannot be started; the text is the system's.
#pragma once

#include <string>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::app {

// The exit status, or 128 and the number of the signal. The first word is looked for in PATH.
Result<int> run_command(const std::vector<std::string>& words);

// The standard output; the error output is dropped.
Result<std::string> output_of_command(const std::vector<std::string>& words);

}  // namespace rehearse::app
