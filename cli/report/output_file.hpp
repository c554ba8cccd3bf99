// SPDX-License-Identifier: MIT
//
// Writing a file that the user asked for.
//
// Errors: nothing half-written is left of a file that could not be written whole.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace rehearse::cli {

// To standard output for "-". Empty, or why it could not be written.
std::string write_file(const std::string& file, const std::function<void(std::ostream&)>& write);
std::string write_text(const std::string& file, std::string_view text);

}  // namespace rehearse::cli
