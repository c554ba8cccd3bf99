// SPDX-License-Identifier: MIT
//
// Routes of nested zones: a tree whose leaves are hosts and routers, with one way of routing per zone.
//
// Shape:   points are hosts, routers and zones, numbered in order of creation; each but the root lies
//          in one zone. A zone knows how to go between its own points. Between points of different
//          zones the route goes, in the zone that both have in common, from the gateway of one to the
//          gateway of the other, and inside each zone from or to its gateway.
// Routing: full: a table. graph: fewest links over the table's edges (first found wins a tie).
//          cluster: private links of each point, and a backbone that all share.
// Errors:  none; a description that does not hold together is refused by whoever builds the tree.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "simcore/platform.hpp"

namespace rehearse::platform {

struct PointId {
  std::uint32_t value = 0;
  auto operator<=>(const PointId&) const = default;
};

enum class TreeRouting : std::uint8_t { none, full, graph, cluster };

// From one point of a zone to another. Gateways are the points themselves unless these are zones.
struct Edge {
  std::vector<LinkId> links;
  PointId source_gateway;
  PointId destination_gateway;
};

// What one point of a cluster has for itself.
struct ClusterLeg {
  std::vector<LinkId> up;    // towards the backbone
  std::vector<LinkId> down;  // from the backbone
  std::optional<LinkId> loopback;
};

class ZoneTree final : public Routing {
 public:
  // The first zone is the root and its parent is ignored.
  PointId add_zone(PointId parent, TreeRouting routing);
  PointId add_router(PointId parent);
  PointId add_host(PointId parent, HostId host);

  // Requires: both points lie directly in the zone, which routes by table or graph. Returns false if
  // that pair has a route already.
  bool add_edge(PointId zone, PointId source, PointId destination, Edge edge);

  void set_leg(PointId zone, PointId point, ClusterLeg leg);
  void set_backbone(PointId zone, LinkId backbone);

  // What a host of a table or graph zone uses to talk to itself unless an edge says otherwise.
  void set_default_loopback(LinkId loopback) { default_loopback_ = loopback; }

  PointId zone_of(PointId point) const { return points_[point.value].zone; }
  bool is_inside(PointId point, PointId zone) const;
  bool is_zone(PointId point) const { return points_[point.value].as_zone != no_zone; }
  TreeRouting routing_of(PointId zone) const;

  bool append_route(HostId source, HostId destination, Route& route) const override;

 private:
  struct Zone {
    TreeRouting routing = TreeRouting::none;
    std::map<std::pair<PointId, PointId>, Edge> edges;
    std::map<PointId, ClusterLeg> legs;
    std::optional<LinkId> backbone;
  };
  struct Point {
    PointId zone;                        // that it lies in
    std::uint32_t depth = 0;             // zones above it
    std::uint32_t as_zone = no_zone;     // index into zones_ if it is one
  };
  static constexpr std::uint32_t no_zone = ~0u;

  PointId add_point(PointId parent);
  const Zone& zone(PointId point) const { return zones_[points_[point.value].as_zone]; }
  PointId ancestor_in(PointId point, PointId zone) const;
  PointId common_zone(PointId a, PointId b) const;
  bool append_between(PointId source, PointId destination, std::vector<LinkId>& links) const;
  bool append_edge(const Edge& edge, PointId source, PointId destination,
                   std::vector<LinkId>& links) const;
  bool append_graph(const Zone& zone, PointId source, PointId destination,
                    std::vector<LinkId>& links) const;
  bool append_cluster(const Zone& zone, PointId source, PointId destination,
                      std::vector<LinkId>& links) const;

  std::vector<Point> points_;
  std::vector<Zone> zones_;
  std::vector<PointId> hosts_;
  std::optional<LinkId> default_loopback_;
};

}  // namespace rehearse::platform
