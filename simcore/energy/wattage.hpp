// SPDX-License-Identifier: MIT
//
// Numbers in properties: lists of lists, separated by commas and colons.
//
// Errors: the text given; the caller adds the place and what is accepted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simcore/platform.hpp"

namespace rehearse::energy {

// "1:2, 3:4" is {{1, 2}, {3, 4}}. Nothing if a part of it is no number that is 0 or more.
std::optional<std::vector<std::vector<double>>> parse_watts(const std::string& text);

// Null if there is none of that name.
const std::string* find(const Properties* properties, const char* name);

}  // namespace rehearse::energy
