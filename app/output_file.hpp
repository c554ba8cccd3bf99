// SPDX-License-Identifier: MIT
//
// Writes a file that the user requested.
//
// Errors: a file that could not be written completely is removed.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "simcore/support/result.hpp"

namespace rehearse::app {

// The error is the reason for which it could not be written.
Result<void> write_file(const std::string& file, const std::function<void(std::ostream&)>& write);

}  // namespace rehearse::app
