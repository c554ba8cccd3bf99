// SPDX-License-Identifier: MIT
//
// Routes of nested zones: a tree whose leaves are hosts and routers, with one kind of routing per zone.
//
// Shape:   points are hosts, routers and zones, numbered in order of creation. The first point is the world. Each other
//          point lies in one zone, and has a number among the points of that zone (its local number). A zone has routes
//          between its own points. A route between points of different zones has three parts: in the innermost zone
//          that contains both, from gateway to gateway; and on each side, inside the zones, from or to that gateway.
//          Bypasses of the innermost zone have priority.
// Ends:    each step of the recursion handles a zone inside the previous one, so the recursion ends.
// Errors:  none; the builder of the tree refuses inconsistent descriptions.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "simcore/platform_builder.hpp"

namespace rehearse::platform {

class WiringBuilder;
class ZoneTree;

// The ends of a route: two different points of one zone, or one point twice.
struct Ends {
  std::uint32_t from = 0;  // local numbers
  std::uint32_t to = 0;
  PointId source;  // a host or router that is `from`, or lies in it
  PointId destination;
};

// How one zone routes between its own points.
class LocalRoutes {
 public:
  virtual ~LocalRoutes() = default;
  // As Routing::append_route. The tree gives access to other zones.
  virtual bool append(const ZoneTree& tree, const Ends& ends, Route& route) const = 0;
  // Joins the points of this zone in a picture.
  virtual void describe(WiringBuilder& wiring) const = 0;
};

// A route from one point of a zone to another, with the gateways inside them.
struct Bypass {
  std::vector<LinkId> links;
  PointId source_gateway;
  PointId destination_gateway;
};

class ZoneTree final : public Routing {
 public:
  enum class Kind : std::uint8_t { host, router, zone };

  ZoneTree();

  // `index`: the index of the host, router or zone among its kind. The world is zone 0.
  PointId add_point(PointId zone, Kind kind, std::uint32_t index);
  std::size_t size() const { return points_.size(); }
  void reserve(std::size_t points) { points_.reserve(points_.size() + points); }
  void set_routes(PointId zone, std::unique_ptr<LocalRoutes> routes);
  // Returns false if there is already a bypass between these points.
  bool add_bypass(PointId zone, PointId source, PointId destination, Bypass bypass);
  void set_loopback(LinkId loopback) { loopback_ = loopback; }
  LinkId loopback() const { return loopback_; }

  Kind kind(PointId point) const { return static_cast<Kind>(points_[point.value].kind); }
  std::uint32_t index(PointId point) const { return points_[point.value].index; }
  std::uint32_t local(PointId point) const { return points_[point.value].local; }
  PointId zone_of(PointId point) const { return points_[point.value].zone; }
  std::uint32_t depth_of_zone(PointId zone) const { return zones_[index(zone)].depth; }
  std::uint32_t point_count(PointId zone) const { return zones_[index(zone)].points; }
  bool is_inside(PointId point, PointId zone) const;  // directly or not
  // The point of the zone that is, or contains, a point inside the zone.
  PointId ancestor_in(PointId point, PointId zone) const;
  PointId common_zone(PointId a, PointId b) const;
  // The zone's only host or router, however deep.
  std::optional<PointId> only_leaf(PointId zone) const;

  bool append_route(HostId source, HostId destination, Route& route) const override;
  void describe(PlatformWiring& wiring, std::size_t points_max) const override;
  bool append_between(PointId source, PointId destination, Route& route) const;

 private:
  struct Point {
    PointId zone;  // that contains it
    std::uint32_t local;
    std::uint32_t kind : 2;
    std::uint32_t index : 30;
  };
  using BypassTable = std::map<std::pair<PointId, PointId>, Bypass>;
  struct ZoneEntry {
    std::uint32_t depth = 0;      // number of enclosing zones
    std::uint32_t points = 0;     // number of points directly in it
    std::optional<PointId> leaf;  // the first host or router in it, however deep
    bool has_several_leaves = false;
    std::unique_ptr<LocalRoutes> routes;  // null: none
    std::unique_ptr<BypassTable> bypasses;
  };

  std::uint32_t depth(PointId point) const;
  const Bypass* find_bypass(const BypassTable& table, PointId in, PointId source, PointId destination) const;
  void count_leaf(PointId leaf);

  std::vector<Point> points_;
  std::vector<ZoneEntry> zones_;
  std::vector<PointId> hosts_;
  LinkId loopback_;
};

}  // namespace rehearse::platform
