// SPDX-License-Identifier: MIT
//
// The end of a run as a message: actors that failed or wait forever, with their stacks.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/actor_api/simulation.hpp"
#include "simcore/remote/reports.hpp"

namespace rehearse::sim::kernel {

// Of the code of this program.
std::uint64_t base_address();

// Not while an actor runs: the stack of an actor that waits, also at an action. Empty: it has none.
std::vector<std::uint64_t> frames_of(Kernel& kernel, ActorRecord& actor);

// Not while an actor runs.
remote::Stop make_stop(Kernel& kernel, const RunReport& report);

}  // namespace rehearse::sim::kernel
