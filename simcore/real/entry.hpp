// SPDX-License-Identifier: MIT
//
// Whether this process takes part in a run for real, and how: see real_session.hpp. The first call connects.
#pragma once

#include <cstdint>
#include <memory>

#include "simcore/actor_api/simulation.hpp"
#include "simcore/kernel/world.hpp"

namespace rehearse::real {

bool takes_part();

// Requires takes_part().
std::unique_ptr<sim::kernel::World> make_world(std::unique_ptr<CostModel> states);
std::uint64_t name_of_early_object();  // that main() makes before the first simulation: the same in all processes

// After the kernel of a simulation was made, and before it is destroyed.
void prepare(sim::kernel::Kernel& kernel);
void forget(sim::kernel::Kernel& kernel);

// Whether run() is for this world.
bool drives(sim::kernel::World& world);
sim::RunReport run(sim::kernel::Kernel& kernel, TimePoint until);

}  // namespace rehearse::real
