// SPDX-License-Identifier: MIT
//
// Platforms that need no file: `laptop` and `cluster:N`.
//
// Figures: laptop: one host, 8 cores of 10 Gflop/s; a message costs 0.5 us and then moves at 10 GB/s.
//          cluster:N: N hosts node-0 .. of 8 cores of 10 Gflop/s, each with a full-duplex link of
//          1.25 GB/s (10 Gb/s) and 5 us to a switch that is never the bottleneck (12.5 GB/s for each
//          flow, 1 us); within a host 10 GB/s and 0.5 us. Cost models scale these latencies.
// Errors:  the name given and what is accepted.
#pragma once

#include <string_view>

#include "simcore/platform.hpp"

namespace rehearse::platform {

// Whether the name has the form of a built-in one (it may still be wrong: cluster:0).
bool is_built_in(std::string_view name);

Result<Platform> make_built_in(std::string_view name);

}  // namespace rehearse::platform
