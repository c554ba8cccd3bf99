// SPDX-License-Identifier: MIT
//
// Sums of rows; zones get those of the zones in them.
#include "app/usage.hpp"

namespace rehearse::app {

UsageSums sums_of(const UseMap& map) {
  const std::size_t categories = map.uses.categories.size();
  UsageSums sums;
  sums.zones.assign(map.zones.size(), std::vector<double>(categories, 0));
  sums.hosts.assign(categories, 0);
  sums.links.assign(categories, 0);
  sums.of_link.assign(map.links.size(), 0);
  for (const UseRow& row : map.uses.hosts) {
    sums.zones[map.hosts[row.subject].zone][row.category] += row.total();
    sums.hosts[row.category] += row.total();
  }
  for (const UseRow& row : map.uses.links) {
    sums.links[row.category] += row.total();
    sums.of_link[row.subject] += row.total();
  }
  for (std::size_t i = map.zones.size(); i-- > 0;) {  // parents come first
    if (map.zones[i].parent == MapZone::none) continue;
    for (std::size_t c = 0; c < categories; ++c) sums.zones[map.zones[i].parent][c] += sums.zones[i][c];
  }
  return sums;
}

std::vector<double> capacities_of(const UseMap& map) {
  std::vector<double> flops(map.zones.size(), 0);
  for (const MapHost& host : map.hosts) flops[host.zone] += host.flops_per_second * map.uses.end.seconds();
  for (std::size_t i = map.zones.size(); i-- > 0;)
    if (map.zones[i].parent != MapZone::none) flops[map.zones[i].parent] += flops[i];
  return flops;
}

}  // namespace rehearse::app
