// SPDX-License-Identifier: MIT
//
// Numbers in properties: lists of lists, separated by commas and colons.
//
// Errors: the caller reports the text, its place and the accepted form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simcore/platform.hpp"

namespace rehearse::energy {

// "1:2, 3:4" is {{1, 2}, {3, 4}}. Nothing if a part of it is not a number of at least 0.
std::optional<std::vector<std::vector<double>>> parse_watts(const std::string& text);

// Null if there is no property of that name.
const std::string* find(const Properties* properties, const char* name);

}  // namespace rehearse::energy
