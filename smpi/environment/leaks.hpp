// SPDX-License-Identifier: MIT
//
// The objects that the program created and did not free before MPI_Finalize.
#pragma once

#include <map>
#include <vector>

#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

// The memory of MPI_Alloc_mem.
struct AllocatedMemory {
  std::map<void*, CreationSite> blocks;
};

// The places where the program created attribute keys that it has not freed.
std::vector<CreationSite> live_communicator_keys();
std::vector<CreationSite> live_window_keys();

// Reports each kind of object once per place where the program created it. A started operation that
// was never completed is an error; anything else is a warning.
void report_leaks();

}  // namespace rehearse::smpi
