// SPDX-License-Identifier: MIT
//
// The bytes of a file that a user named.
#pragma once

#include <optional>
#include <string>

namespace rehearse {

// Nothing if the file does not exist, cannot be read, is a device, or has more than 1 GiB.
std::optional<std::string> read_file(const std::string& path);

}  // namespace rehearse
