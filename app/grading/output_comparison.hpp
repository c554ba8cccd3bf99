// SPDX-License-Identifier: MIT
//
// Whether a program's output is the expected one, and the first difference in words.
#pragma once

#include <string>

#include "app/exercise.hpp"

namespace rehearse::app {

// Empty if it is as expected.
std::string difference(const ExpectedOutput& expected, const std::string& output);

}  // namespace rehearse::app
