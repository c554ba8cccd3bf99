// SPDX-License-Identifier: MIT
//
// Where the program stands now, for objects that it creates.
#pragma once

#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

// The MPI call that the calling rank is in; empty outside one.
CreationSite creation_site();

}  // namespace rehearse::smpi
