// SPDX-License-Identifier: MIT
//
// Messages about faults of the input.
#pragma once

#include <string>

#include "simcore/support/result.hpp"

namespace rehearse::cli {

// Prints `rehearse: error: TEXT` on standard error, and returns exit_bad_input; `inconclusive: TEXT` and
// exit_inconclusive if the input is not at fault.
int report_error(const Error& error);

// An error about an option, with the verb in front of it.
Error of_verb(const std::string& verb, const Error& error);

}  // namespace rehearse::cli
