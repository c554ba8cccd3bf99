// SPDX-License-Identifier: MIT
//
// Cuts the routes between hosts at the routers of their zones.
#include "simcore/platform/extraction/route_plan.hpp"

#include <algorithm>
#include <map>

namespace rehearse::platform {

RoutePlan::RoutePlan(const Platform& platform, std::span<const HostId> hosts, bool keeps_zones) : platform_(platform) {
  std::map<ZoneId, std::vector<HostId>> inside;
  if (keeps_zones)
    for (const HostId host : hosts) inside[platform.zone_of(host)].push_back(host);
  std::map<ZoneId, HostGroup> zones;
  for (const auto& [zone, members] : inside) {
    if (members.size() < 2) continue;
    HostGroup group{find_flat_cluster(platform, members), std::nullopt, members.front()};
    if (!group.cluster) group.star = find_star_zone(platform, members);
    if (group.is_zone()) zones.emplace(zone, std::move(group));
  }
  for (const HostId host : hosts) {
    const auto found = zones.find(platform.zone_of(host));
    if (found == zones.end()) groups_.push_back({std::nullopt, std::nullopt, host});
    else if (found->second.host == host) groups_.push_back(found->second);
  }
}

std::size_t RoutePlan::zones() const {
  return static_cast<std::size_t>(std::ranges::count_if(groups_, &HostGroup::is_zone));
}

std::optional<bool> RoutePlan::find(RouteBetweenGroups& way) const {
  const HostGroup &from = groups_[way.from], &to = groups_[way.to];
  if (way.from == way.to && from.is_zone()) return false;
  Route route;
  if (!platform_.find_route(from.host, to.host, route)) return false;
  way.links = std::move(route.links);
  if (way.from == way.to) return way.links.size() != 1 || platform_.link(way.links.front()).name != "__loopback__";
  if (from.is_zone()) {
    const std::vector<LinkId> start = from.way_out(platform_);
    if (way.links.size() < start.size() || !std::equal(start.begin(), start.end(), way.links.begin()))
      return std::nullopt;
    way.links.erase(way.links.begin(), way.links.begin() + static_cast<std::ptrdiff_t>(start.size()));
  }
  if (to.is_zone()) {
    const std::vector<LinkId> end = to.way_in(platform_);
    if (way.links.size() < end.size() || !std::equal(end.rbegin(), end.rend(), way.links.rbegin())) return std::nullopt;
    way.links.resize(way.links.size() - end.size());
  }
  return true;
}

}  // namespace rehearse::platform
