// SPDX-License-Identifier: MIT
//
// Writing a file that the user asked for, or standard output.
//
// Errors: nothing half-written is left of a file that could not be written whole.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "app/finding_json.hpp"

namespace rehearse::cli {

// To standard output for "-". The error says why it could not be written.
Result<void> write_file(const std::string& file, const std::function<void(std::ostream&)>& write);
Result<void> write_text(const std::string& file, std::string_view text);

// The document with a line break behind it.
Result<void> write_json(const std::string& file, const app::Json& document);

}  // namespace rehearse::cli
