// SPDX-License-Identifier: MIT
//
// The links that a host has for itself, by the routes of the platform.
#include <algorithm>
#include <set>
#include <utility>

#include "simcore/slow_hosts.hpp"

namespace rehearse {
namespace {

constexpr std::uint32_t nearest_hosts = 128, spread_hosts = 128;
constexpr std::uint64_t choices = 8;  // of equal routes

struct Surroundings {
  std::set<LinkId> links;              // the first links of the host's routes, and the last ones of the routes to it
  std::vector<std::uint64_t> lengths;  // by host: of the routes in both directions, in links
};

Surroundings surroundings_of(const Platform& platform, HostId host) {
  const auto count = static_cast<std::uint32_t>(platform.hosts().size());
  const bool has_equal_routes = platform.zones()[platform.zone_of(host).value].routing == ZoneRouting::fat_tree;
  Surroundings found;
  found.lengths.resize(count);
  Route route;
  for (HostId other{0}; other.value < count; ++other.value) {
    if (other == host) continue;
    for (route.choice = 0; route.choice <= (has_equal_routes ? choices : 0); ++route.choice) {
      if (platform.find_route(host, other, route) && !route.links.empty()) found.links.insert(route.links.front());
      found.lengths[other.value] += route.links.size();
      if (platform.find_route(other, host, route) && !route.links.empty()) found.links.insert(route.links.back());
      found.lengths[other.value] += route.links.size();
    }
  }
  return found;
}

// Those whose routes are compared. Traffic that passes a host comes from hosts near it.
std::vector<HostId> hosts_to_compare(const std::vector<std::uint64_t>& lengths, HostId host) {
  const auto count = static_cast<std::uint32_t>(lengths.size());
  std::vector<HostId> others;
  for (HostId other{0}; other.value < count; ++other.value)
    if (other != host) others.push_back(other);
  if (others.size() <= nearest_hosts + spread_hosts) return others;
  std::ranges::partial_sort(others, others.begin() + nearest_hosts, {}, [&](HostId other) {
    const std::uint32_t difference = other < host ? host.value - other.value : other.value - host.value;
    return std::pair(lengths[other.value], difference);
  });
  std::set<HostId> chosen(others.begin(), others.begin() + nearest_hosts);
  for (std::uint64_t i = 0; i < spread_hosts; ++i)
    chosen.insert({static_cast<std::uint32_t>(i * count / spread_hosts)});
  chosen.erase(host);
  return {chosen.begin(), chosen.end()};
}

}  // namespace

std::vector<LinkId> own_links(const Platform& platform, HostId host) {
  Surroundings found = surroundings_of(platform, host);
  const std::vector<HostId> others = hosts_to_compare(found.lengths, host);
  Route route;
  for (const HostId source : others) {
    if (found.links.empty()) break;
    for (const HostId destination : others) {
      if (source == destination || !platform.find_route(source, destination, route)) continue;
      for (const LinkId link : route.links) found.links.erase(link);
    }
  }
  return {found.links.begin(), found.links.end()};
}

}  // namespace rehearse
