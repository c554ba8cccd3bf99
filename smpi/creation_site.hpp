// SPDX-License-Identifier: MIT
//
// The current place of the program, for objects that it creates.
#pragma once

#include "simcore/operation.hpp"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

// The MPI call that the calling rank is in; empty outside one.
CreationSite creation_site();

// The same place in the form that operations carry, and the conversion back, for a place of another rank.
Origin origin_of_call();
CreationSite site_of(const Origin& origin);

}  // namespace rehearse::smpi
