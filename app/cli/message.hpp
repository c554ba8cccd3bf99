// SPDX-License-Identifier: MIT
//
// What the user is told when something is wrong with the input.
#pragma once

#include "simcore/support/result.hpp"

namespace rehearse::cli {

// Prints `rehearse: error: TEXT` on standard error; returns exit_bad_input.
int report_error(const Error& error);

}  // namespace rehearse::cli
