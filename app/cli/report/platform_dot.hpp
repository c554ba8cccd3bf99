// SPDX-License-Identifier: MIT
//
// Platforms in the language of Graphviz (dot).
//
// Shape: zones are clusters, hosts boxes, routers and switches ellipses, centres points; an edge is a described route
//        with its links. A zone that is not shown is a box with the number of its hosts.
#pragma once

#include <string>

#include "simcore/platform.hpp"

namespace rehearse::cli {

// Zones with more hosts, routers and zones directly in them than `points_max` are not shown.
std::string platform_dot(const Platform& platform, std::size_t points_max);

}  // namespace rehearse::cli
