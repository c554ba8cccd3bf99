// SPDX-License-Identifier: MIT
//
// Data and texts inside of a page for browsers.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "app/json.hpp"

namespace rehearse::cli {

// For the inside of a script element: escapes the characters that would end the element, as JSON permits.
std::string for_script(const app::Json& json);
std::string for_html(const std::string& text);
void add_base64(std::string& out, std::span<const std::byte> bytes);

}  // namespace rehearse::cli
