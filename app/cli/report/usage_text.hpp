// SPDX-License-Identifier: MIT
//
// The usage of a platform as tables: work by zone and category, and the links with the most traffic.
#pragma once

#include <string>

#include "simcore/use_map.hpp"

namespace rehearse::cli {

std::string text_of(const UseMap& map);
// Zones and categories are the same if their names are; zones also need the same zones around them.
std::string text_of_difference(const UseMap& first, const UseMap& second);

}  // namespace rehearse::cli
