// SPDX-License-Identifier: MIT
//
// See sides.hpp.
#include "app/last_mile/sides.hpp"

namespace rehearse::app {
namespace {

constexpr std::uint8_t unvisited = 2;

}  // namespace

std::vector<HostGroup> groups_of(std::span<const PairValue> pairs, std::size_t hosts) {
  std::vector<std::vector<std::uint32_t>> neighbours(hosts);
  for (const PairValue& pair : pairs) {
    neighbours[pair.from].push_back(pair.to);
    neighbours[pair.to].push_back(pair.from);
  }
  std::vector<std::uint8_t> side(hosts, unvisited);
  std::vector<HostGroup> groups;
  std::vector<std::uint32_t> found;
  for (std::uint32_t first = 0; first < hosts; ++first) {
    if (neighbours[first].empty() || side[first] != unvisited) continue;
    HostGroup group;
    found.assign(1, first);
    side[first] = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::uint32_t host = found[i];
      group.sides[side[host]].push_back(host);
      for (const std::uint32_t other : neighbours[host]) {
        if (side[other] == side[host]) group.has_two_sides = false;
        if (side[other] != unvisited) continue;
        side[other] = 1 - side[host];
        found.push_back(other);
      }
    }
    if (!group.has_two_sides) {
      group.sides[0] = found;
      group.sides[1].clear();
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace rehearse::app
