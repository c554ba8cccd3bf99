// SPDX-License-Identifier: MIT
//
// The option --usage, and the file that it makes.
//
// Errors: an unknown ending of the file name, while the options are read; later, a file that cannot be written.
#pragma once

#include <string>

#include "app/usage.hpp"

namespace rehearse::cli {

class OptionSet;

void declare_usage(OptionSet& app, std::string& file);

// FILE.html: the page; FILE.json: the figures. The error begins with the option.
Result<void> write_usage(const std::string& file, const app::Usage& usage);

}  // namespace rehearse::cli
