// SPDX-License-Identifier: MIT
//
// Platform files: the XML format of SimGrid, versions 4.0 and 4.1, or the part of it that we have.
//
// Have:   platform, zone (alias AS) with routing Full, Floyd, Dijkstra, DijkstraCache or None, nested
//         zones with zoneRoute (alias ASroute) inside Full ones, host (with a list of speeds and
//         pstate), router, link (SHARED, SPLITDUPLEX, FATPIPE), route, link_ctn, flat cluster, and
//         config and prop where they cannot change a result.
// Errors: FILE:LINE: what was found and what is accepted. Nothing is skipped in silence.
#pragma once

#include <string>

#include "simcore/platform.hpp"

namespace rehearse::platform {

Result<Platform> load_xml(const std::string& file);

}  // namespace rehearse::platform
