// SPDX-License-Identifier: MIT
//
// A platform for tests of actors: three hosts of 1 Gflop/s; `alpha` and `beta` linked by `ab` (1 MB/s, 1 ms), `alpha`
// and `gamma` by `ag` (10 MB/s, no latency); a disk on `alpha` (100 MB/s read, 40 MB/s written).
//
// Dates: PlainSimulation has a cost model without sharing: a transfer takes latency + bytes / bandwidth.
#pragma once

#include <string>

#include "simcore/actor_api.hpp"

namespace rehearse::testing {

Platform actor_platform(const std::string& more = "");
Platform actor_platform_with(const std::string& ending);  // `ending` follows the routes and contains `</zone>`

struct PlatformHolder {
  Platform held_platform;
};

struct PlainSimulation : private PlatformHolder, public sim::Simulation {
  explicit PlainSimulation(const std::string& more = "");
};

}  // namespace rehearse::testing
