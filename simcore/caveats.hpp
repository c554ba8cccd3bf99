// SPDX-License-Identifier: MIT
//
// Limits of the conclusions about a Program's actors, from their steps so far.
#pragma once

#include <string>
#include <vector>

namespace rehearse {

struct Caveats {
  std::vector<std::string> unsupported = {};  // features by name; some of their outcomes are not explored
  std::vector<std::string> assumptions = {};  // unchecked conditions of the conclusions, as sentences
};

}  // namespace rehearse
