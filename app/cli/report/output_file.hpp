// SPDX-License-Identifier: MIT
//
// Writes a file that the user requested, or to standard output.
//
// Errors: a file that could not be written completely is removed.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "app/finding_json.hpp"

namespace rehearse::cli {

// "-": standard output. The error is the reason why it could not be written.
Result<void> write_file(const std::string& file, const std::function<void(std::ostream&)>& write);
Result<void> write_text(const std::string& file, std::string_view text);

// The document with a line break after it.
Result<void> write_json(const std::string& file, const app::Json& document);

}  // namespace rehearse::cli
