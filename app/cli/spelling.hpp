// SPDX-License-Identifier: MIT
//
// Finds the nearest word for a misspelled one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rehearse::cli {

// " (did you mean 'WORD'?)" with the word that is nearest to `given`, or nothing where none is near: one letter in
// three may be wrong, missing or too many.
std::string suggestion(std::string_view given, const std::vector<std::string>& words);

}  // namespace rehearse::cli
