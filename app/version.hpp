// SPDX-License-Identifier: MIT
//
// The version that reports and counter-examples carry; the same as in CMakeLists.txt (tests/cli compares them).
#pragma once

#include <string_view>

namespace rehearse::app {

inline constexpr std::string_view version = "0.1";

}  // namespace rehearse::app
