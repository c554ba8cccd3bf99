// SPDX-License-Identifier: MIT
//
// The host of each rank by a rule, or by a file.
//
// Rules:  block: fills the cores of a host before the next one. cyclic: one rank on each host in turn. Both begin again
//         at the first host when all are full. random:SEED: as cyclic, with hosts and ranks in random order.
// File:   lines `RANK HOST`, one for each rank, in any order; `#` begins a comment.
// Errors: the value, or FILE:LINE with the value, and what is accepted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

Result<std::vector<HostId>> map_ranks(const std::string& map, const Platform& platform, std::uint32_t ranks);

}  // namespace rehearse::app
