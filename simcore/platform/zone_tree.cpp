// SPDX-License-Identifier: MIT
//
// Computes routes of nested zones: from both ends to the common zone, then with the route of that zone.
#include "simcore/platform/zone_tree.hpp"

#include <algorithm>

#include "simcore/platform/wiring_builder.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::platform {

ZoneTree::ZoneTree() {
  points_.push_back({PointId{}, 0, static_cast<std::uint32_t>(Kind::zone), 0});
  zones_.emplace_back();
}

PointId ZoneTree::add_point(PointId zone, Kind kind, std::uint32_t index) {
  const PointId id{static_cast<std::uint32_t>(points_.size())};
  ZoneEntry& in = zones_[this->index(zone)];
  points_.push_back({zone, in.points++, static_cast<std::uint32_t>(kind), index});
  if (kind == Kind::zone) {
    REHEARSE_ASSERT(index == zones_.size(), "zones are added in order");
    const std::uint32_t depth = in.depth + 1;
    zones_.emplace_back().depth = depth;
  } else {
    count_leaf(id);
  }
  if (kind == Kind::host) {
    REHEARSE_ASSERT(index == hosts_.size(), "hosts are added in order");
    hosts_.push_back(id);
  }
  return id;
}

void ZoneTree::count_leaf(PointId leaf) {
  for (PointId zone = zone_of(leaf);; zone = zone_of(zone)) {
    ZoneEntry& entry = zones_[index(zone)];
    if (entry.has_several_leaves) return;  // the enclosing zones have several, too
    entry.has_several_leaves = entry.leaf.has_value();
    if (!entry.leaf) entry.leaf = leaf;
    if (zone == PointId{}) return;
  }
}

std::optional<PointId> ZoneTree::only_leaf(PointId zone) const {
  const ZoneEntry& entry = zones_[index(zone)];
  return entry.has_several_leaves ? std::nullopt : entry.leaf;
}

void ZoneTree::set_routes(PointId zone, std::unique_ptr<LocalRoutes> routes) {
  zones_[index(zone)].routes = std::move(routes);
}

bool ZoneTree::add_bypass(PointId zone, PointId source, PointId destination, Bypass bypass) {
  auto& table = zones_[index(zone)].bypasses;
  if (!table) table = std::make_unique<BypassTable>();
  return table->emplace(std::pair(source, destination), std::move(bypass)).second;
}

// The world has depth 0, its points depth 1.
std::uint32_t ZoneTree::depth(PointId point) const {
  if (point == PointId{}) return 0;
  return depth_of_zone(zone_of(point)) + 1;
}

bool ZoneTree::is_inside(PointId point, PointId zone) const {
  while (depth(point) > depth(zone) + 1) point = zone_of(point);
  return depth(point) == depth(zone) + 1 && zone_of(point) == zone;
}

PointId ZoneTree::ancestor_in(PointId point, PointId zone) const {
  while (zone_of(point) != zone) point = zone_of(point);
  return point;
}

PointId ZoneTree::common_zone(PointId a, PointId b) const {
  a = zone_of(a);
  b = zone_of(b);
  while (a != b) {
    if (depth(a) >= depth(b)) a = zone_of(a);
    else b = zone_of(b);
  }
  return a;
}

bool ZoneTree::append_route(HostId source, HostId destination, Route& route) const {
  return append_between(hosts_[source.value], hosts_[destination.value], route);
}

void ZoneTree::describe(PlatformWiring& wiring, std::size_t points_max) const {
  WiringBuilder builder(*this, points_max, wiring);
  for (std::uint32_t i = 1; i < points_.size(); ++i) {
    const PointId zone{i};
    if (kind(zone) != Kind::zone || !builder.is_shown(zone) || !zones_[index(zone)].routes) continue;
    builder.enter(zone);
    zones_[index(zone)].routes->describe(builder);
  }
}

bool ZoneTree::append_between(PointId source, PointId destination, Route& route) const {
  const PointId in = common_zone(source, destination);
  const ZoneEntry& zone = zones_[index(in)];
  if (zone.bypasses && source != destination)
    if (const Bypass* bypass = find_bypass(*zone.bypasses, in, source, destination)) {
      if (bypass->source_gateway != source && !append_between(source, bypass->source_gateway, route)) return false;
      route.links.insert(route.links.end(), bypass->links.begin(), bypass->links.end());
      return bypass->destination_gateway == destination ||
             append_between(bypass->destination_gateway, destination, route);
    }
  if (zone.routes) {
    const Ends ends{local(ancestor_in(source, in)), local(ancestor_in(destination, in)), source, destination};
    return zone.routes->append(*this, ends, route);
  }
  if (source == destination) route.links.push_back(loopback_);
  return source == destination;
}

// The bypass between the innermost points that contain the ends. An inner bypass has priority, because it replaces the
// smallest part of the route.
const Bypass* ZoneTree::find_bypass(const BypassTable& table, PointId in, PointId source, PointId destination) const {
  const auto path_to = [&](PointId point) {
    std::vector<PointId> path{point};
    while (zone_of(path.back()) != in) path.push_back(zone_of(path.back()));
    return path;
  };
  const std::vector<PointId> sources = path_to(source), destinations = path_to(destination);
  const auto find = [&](std::size_t i, std::size_t j) -> const Bypass* {
    if (i >= sources.size() || j >= destinations.size()) return nullptr;
    const auto found = table.find({sources[i], destinations[j]});
    return found == table.end() ? nullptr : &found->second;
  };
  for (std::size_t out = 0; out < std::max(sources.size(), destinations.size()); ++out)
    for (std::size_t i = 0; i <= out; ++i) {
      if (const Bypass* bypass = find(i, out)) return bypass;
      if (const Bypass* bypass = find(out, i)) return bypass;
    }
  return nullptr;
}

}  // namespace rehearse::platform
