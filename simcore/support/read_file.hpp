// SPDX-License-Identifier: MIT
//
// The bytes of a file that a user named.
#pragma once

#include <optional>
#include <string>

namespace rehearse {

// Empty if there is none, it cannot be read, or it has more than 1 GiB, or is a device.
std::optional<std::string> read_file(const std::string& path);

}  // namespace rehearse
