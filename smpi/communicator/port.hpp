// SPDX-License-Identifier: MIT
//
// The open ports and the published names of the calling rank, for reports of leaks.
//
// Source: MPI 5.0, 11.9.
#pragma once

#include <string>

#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

// Calls visit(site) for each port that the rank has opened and not closed; `site` is the call of MPI_Open_port.
void visit_open_ports(void (*visit)(const CreationSite& site, void* argument), void* argument);

// The same for each name that the rank has published and not unpublished.
void visit_published_names(void (*visit)(const CreationSite& site, const std::string& name, void* argument),
                           void* argument);

}  // namespace rehearse::smpi
