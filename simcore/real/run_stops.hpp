// SPDX-License-Identifier: MIT
//
// The actors that stopped before their end when a run over the network ended.
//
// Threads: none.
#pragma once

#include <string>
#include <vector>

#include "simcore/real/member.hpp"
#include "simcore/real_coordinator.hpp"

namespace rehearse::real {

// Adds them to the run, and the finding that they are unless it has one. `program` is the path of the executable.
void add_stops(const std::vector<Member>& members, const std::string& program, RealActorRun& run);

}  // namespace rehearse::real
