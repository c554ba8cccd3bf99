// SPDX-License-Identifier: MIT
//
// Routes of nested zones: walks to the common zone, then one kind of routing per zone.
#include "simcore/platform/zone_tree.hpp"

#include <algorithm>
#include <queue>

#include "simcore/support/assert.hpp"

namespace rehearse::platform {

PointId ZoneTree::add_point(PointId parent) {
  const PointId id{static_cast<std::uint32_t>(points_.size())};
  const std::uint32_t depth = points_.empty() ? 0 : points_[parent.value].depth + 1;
  points_.push_back({parent, depth, no_zone});
  return id;
}

PointId ZoneTree::add_zone(PointId parent, TreeRouting routing) {
  const PointId id = add_point(parent);
  points_[id.value].as_zone = static_cast<std::uint32_t>(zones_.size());
  zones_.emplace_back().routing = routing;
  return id;
}

PointId ZoneTree::add_router(PointId parent) { return add_point(parent); }

PointId ZoneTree::add_host(PointId parent, HostId host) {
  REHEARSE_ASSERT(host.value == hosts_.size(), "hosts are added in order");
  const PointId id = add_point(parent);
  hosts_.push_back(id);
  return id;
}

bool ZoneTree::add_edge(PointId zone, PointId source, PointId destination, Edge edge) {
  Zone& in = zones_[points_[zone.value].as_zone];
  return in.edges.emplace(std::pair(source, destination), std::move(edge)).second;
}

void ZoneTree::set_leg(PointId zone, PointId point, ClusterLeg leg) {
  zones_[points_[zone.value].as_zone].legs[point] = std::move(leg);
}

void ZoneTree::set_backbone(PointId zone, LinkId backbone) {
  zones_[points_[zone.value].as_zone].backbone = backbone;
}

bool ZoneTree::is_inside(PointId point, PointId zone) const {
  while (points_[point.value].depth > points_[zone.value].depth + 1) point = zone_of(point);
  return points_[point.value].depth == points_[zone.value].depth + 1 && zone_of(point) == zone;
}

TreeRouting ZoneTree::routing_of(PointId zone) const { return this->zone(zone).routing; }

PointId ZoneTree::ancestor_in(PointId point, PointId zone) const {
  while (zone_of(point) != zone) point = zone_of(point);
  return point;
}

PointId ZoneTree::common_zone(PointId a, PointId b) const {
  a = zone_of(a);
  b = zone_of(b);
  while (a != b) {
    if (points_[a.value].depth >= points_[b.value].depth)
      a = zone_of(a);
    else
      b = zone_of(b);
  }
  return a;
}

bool ZoneTree::append_route(HostId source, HostId destination, Route& route) const {
  return append_between(hosts_[source.value], hosts_[destination.value], route.links);
}

bool ZoneTree::append_between(PointId source, PointId destination,
                              std::vector<LinkId>& links) const {
  const PointId in = common_zone(source, destination);
  const Zone& zone = this->zone(in);
  const PointId from = ancestor_in(source, in);
  const PointId to = ancestor_in(destination, in);
  if (zone.routing == TreeRouting::cluster) return append_cluster(zone, from, to, links);
  const auto edge = zone.edges.find({from, to});
  if (zone.routing == TreeRouting::full && edge != zone.edges.end())
    return append_edge(edge->second, source, destination, links);
  if (from == to) {
    if (edge != zone.edges.end())
      links.insert(links.end(), edge->second.links.begin(), edge->second.links.end());
    else if (default_loopback_)
      links.push_back(*default_loopback_);
    return edge != zone.edges.end() || default_loopback_.has_value();
  }
  if (zone.routing == TreeRouting::graph && from == source && to == destination)
    return append_graph(zone, from, to, links);
  return false;
}

// Inside the zone where it starts, through the edge, inside the zone where it ends.
bool ZoneTree::append_edge(const Edge& edge, PointId source, PointId destination,
                           std::vector<LinkId>& links) const {
  if (edge.source_gateway != source && !append_between(source, edge.source_gateway, links))
    return false;
  links.insert(links.end(), edge.links.begin(), edge.links.end());
  return edge.destination_gateway == destination ||
         append_between(edge.destination_gateway, destination, links);
}

// Dijkstra's algorithm; the length of an edge is its number of links.
bool ZoneTree::append_graph(const Zone& zone, PointId source, PointId destination,
                            std::vector<LinkId>& links) const {
  using Reached = std::pair<std::uint64_t, PointId>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> frontier;
  std::map<PointId, std::pair<std::uint64_t, const std::pair<PointId, PointId>*>> best;
  best[source] = {0, nullptr};
  frontier.push({0, source});
  while (!frontier.empty() && frontier.top().second != destination) {
    const auto [length, at] = frontier.top();
    frontier.pop();
    if (length > best[at].first) continue;
    for (auto edge = zone.edges.lower_bound({at, PointId{0}});
         edge != zone.edges.end() && edge->first.first == at; ++edge) {
      const std::uint64_t longer = length + edge->second.links.size();
      const auto [known, is_new] = best.try_emplace(edge->first.second, longer, &edge->first);
      if (!is_new && longer >= known->second.first) continue;
      known->second = {longer, &edge->first};
      frontier.push({longer, edge->first.second});
    }
  }
  if (!best.contains(destination)) return false;
  std::vector<const std::pair<PointId, PointId>*> path;
  for (PointId at = destination; at != source; at = path.back()->first)
    path.push_back(best[at].second);
  std::reverse(path.begin(), path.end());
  for (const auto* step : path) {
    const Edge& edge = zone.edges.at(*step);
    links.insert(links.end(), edge.links.begin(), edge.links.end());
  }
  return true;
}

// Up, across, down. A link is crossed once even if it serves both ends, and a cluster's router sits on
// the far side of the backbone.
bool ZoneTree::append_cluster(const Zone& zone, PointId source, PointId destination,
                              std::vector<LinkId>& links) const {
  const auto from = zone.legs.find(source);
  const auto to = zone.legs.find(destination);
  if (source == destination && from != zone.legs.end() && from->second.loopback) {
    links.push_back(*from->second.loopback);
    return true;
  }
  const std::size_t start = links.size();
  const auto append_once = [&](LinkId link) {
    if (std::find(links.begin() + static_cast<std::ptrdiff_t>(start), links.end(), link) ==
        links.end())
      links.push_back(link);
  };
  if (from != zone.legs.end())
    for (const LinkId link : from->second.up) append_once(link);
  if (zone.backbone) append_once(*zone.backbone);
  if (to != zone.legs.end())
    for (const LinkId link : to->second.down) append_once(link);
  return true;
}

}  // namespace rehearse::platform
