// SPDX-License-Identifier: MIT
//
// The work of a platform's hosts and links over a run, with what a picture of the platform needs: zones, hosts, links,
// and the wires between them.
//
// Shape:   zones are trees, parents first. A host is in a zone. Numbers of hosts and links are those of the platform.
// Units:   flops, bytes, seconds.
// Threads: none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/platform_wiring.hpp"
#include "simcore/use_recorder.hpp"

namespace rehearse {

struct MapZone {
  std::string name;
  std::uint32_t parent = none;
  static constexpr std::uint32_t none = ~0u;
};

struct MapHost {
  std::string name;
  std::uint32_t zone = 0;
  double flops_per_second = 0;  // of all cores, in the initial speed state
};

struct MapLink {
  std::string name;
  double bytes_per_second = 0;
};

// A point between links. Hosts come first: node h is host h.
struct MapNode {
  std::string name;
  std::uint32_t zone = 0;
};

struct MapWire {
  std::uint32_t from = 0, to = 0;  // nodes: hosts, then `nodes`
  std::vector<std::uint32_t> links;
};

struct UseMap {
  std::string platform;
  std::vector<MapZone> zones;  // at least one
  std::vector<MapHost> hosts;
  std::vector<MapLink> links;
  std::vector<MapNode> nodes;
  std::vector<MapWire> wires;
  std::uint64_t wires_more = 0;  // that are left out
  UseTable uses;

  double host_work() const;  // flops of all hosts
  double link_work() const;  // bytes over all links
};

// The most hosts that a map can show.
inline constexpr std::size_t map_hosts_max = 100'000;

UseMap map_of(const Platform& platform, UseTable uses);

// As bytes, for another process of this machine. False: the bytes make no sense.
std::string to_bytes(const UseMap& map);
bool from_bytes(std::string_view bytes, UseMap& map);

}  // namespace rehearse
