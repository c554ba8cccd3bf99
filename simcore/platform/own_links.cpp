// SPDX-License-Identifier: MIT
//
// The links that a host has for itself, by the routes of the platform.
#include <algorithm>
#include <set>

#include "simcore/slow_hosts.hpp"

namespace rehearse {
namespace {

constexpr std::uint32_t nearest_hosts = 128, spread_hosts = 128;
constexpr std::uint64_t choices = 8;  // of equal routes

// Those with which routes are compared, without the host itself.
std::vector<HostId> hosts_to_compare(std::uint32_t count, HostId host) {
  std::set<HostId> chosen;
  if (count <= nearest_hosts + spread_hosts) {
    for (std::uint32_t i = 0; i < count; ++i) chosen.insert({i});
  } else {
    const std::uint32_t middle = std::clamp(host.value, nearest_hosts / 2, count - nearest_hosts / 2);
    for (std::uint32_t i = middle - nearest_hosts / 2; i < middle + nearest_hosts / 2; ++i) chosen.insert({i});
    for (std::uint64_t i = 0; i < spread_hosts; ++i)
      chosen.insert({static_cast<std::uint32_t>(i * count / spread_hosts)});
  }
  chosen.erase(host);
  return {chosen.begin(), chosen.end()};
}

// The first links of the host's routes, and the last ones of the routes to it.
std::set<LinkId> links_at(const Platform& platform, HostId host, const std::vector<HostId>& others) {
  const bool has_equal_routes = platform.zones()[platform.zone_of(host).value].routing == ZoneRouting::fat_tree;
  std::set<LinkId> links;
  Route route;
  for (const HostId other : others)
    for (route.choice = 0; route.choice <= (has_equal_routes ? choices : 0); ++route.choice) {
      if (platform.find_route(host, other, route) && !route.links.empty()) links.insert(route.links.front());
      if (platform.find_route(other, host, route) && !route.links.empty()) links.insert(route.links.back());
    }
  return links;
}

}  // namespace

std::vector<LinkId> own_links(const Platform& platform, HostId host) {
  const auto count = static_cast<std::uint32_t>(platform.hosts().size());
  const std::vector<HostId> others = hosts_to_compare(count, host);
  std::set<LinkId> links = links_at(platform, host, others);
  Route route;
  for (const HostId source : others) {
    if (links.empty()) break;
    for (const HostId destination : others) {
      if (source == destination || !platform.find_route(source, destination, route)) continue;
      for (const LinkId link : route.links) links.erase(link);
    }
  }
  return {links.begin(), links.end()};
}

}  // namespace rehearse
