// SPDX-License-Identifier: MIT
//
// Hostfiles: the host of each rank.
//
// Form:   lines `HOST`, `HOST:SLOTS` or `HOST slots=N`; `#` begins a comment. Ranks fill the slots in order, and begin
//         again at the first host when all are full.
// Errors: FILE:LINE: the value, the accepted values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// The host of each rank, of this platform.
Result<std::vector<HostId>> read_hostfile(const std::string& file, const Platform& platform, std::uint32_t ranks);

// The name of each rank's host, without a check.
Result<std::vector<std::string>> read_host_names(const std::string& file, std::uint32_t ranks);

}  // namespace rehearse::app
