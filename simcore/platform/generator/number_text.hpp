// SPDX-License-Identifier: MIT
//
// Numbers in platform files.
#pragma once

#include <string>

namespace rehearse::platform {

// The shortest text that is read as the same number.
std::string number_text(double value);

}  // namespace rehearse::platform
