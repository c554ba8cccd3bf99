// SPDX-License-Identifier: MIT
//
// Sets of hosts whose speeds have given moments.
#pragma once

#include <vector>

#include "simcore/platform_extraction.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::platform {

// `count` of the first `hosts` hosts, each set with the same probability, in ascending order.
std::vector<HostId> draw_hosts(std::size_t hosts, std::size_t count, SplitMix& random);

// Requires a number of hosts, and a mean or a deviation.
std::vector<HostId> select_by_speed(const Platform& platform, const HostSelection& selection);

}  // namespace rehearse::platform
