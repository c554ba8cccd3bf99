// SPDX-License-Identifier: MIT
//
// Finds the nearest word for a misspelled one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rehearse::cli {

// " (did you mean 'WORD'?)" with the word nearest to `given`; empty if none is near. In a near word, at most one letter
// in three is wrong, missing or superfluous.
std::string suggestion(std::string_view given, const std::vector<std::string>& words);

}  // namespace rehearse::cli
