// SPDX-License-Identifier: MIT
//
// The network of a platform as a graph, for pictures: hosts, routers and the links between them.
//
// Shape:   nodes are hosts, routers, switches (of tori, fat trees and dragonflies), centres (in which the links of a
//          star, of coordinates or of a wifi zone meet), and zones that are too large to be shown. A wire is a
//          described route between two nodes. What a route crosses several times, or only by a bypass, appears once or
//          not at all: the wiring is a picture, and routes come from Platform::find_route.
// Threads: none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simcore/platform.hpp"

namespace rehearse {

struct WiringNode {
  enum class Kind : std::uint8_t { host, router, switch_node, centre, zone };
  Kind kind = Kind::host;
  std::string name;            // of a centre: that of its backbone or medium, if there is one
  std::uint32_t index = 0;     // of a host: its HostId; of a router and of a zone: its number
  std::optional<ZoneId> zone;  // that contains it
  std::size_t hosts = 0;       // in a zone
};

struct Wire {
  std::uint32_t from = 0, to = 0;  // nodes
  std::vector<LinkId> links;       // from `from` to `to`
};

struct PlatformWiring {
  std::vector<WiringNode> nodes;
  std::vector<Wire> wires;
};

// A zone with more than `points_max` hosts, routers and zones directly in it becomes one node.
PlatformWiring wiring_of(const Platform& platform, std::size_t points_max);

}  // namespace rehearse
