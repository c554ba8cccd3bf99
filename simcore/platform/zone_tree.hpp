// SPDX-License-Identifier: MIT
//
// Routes of nested zones: a tree whose leaves are hosts and routers, with one way of routing per zone.
//
// Shape:   points are hosts, routers and zones, numbered in order of creation; each but the first, the
//          world, lies in one zone, and has a number among the points of that zone (its local number).
//          A zone knows how to go between its own points. Between points of different zones the route
//          goes, in the innermost zone that contains both, from a gateway to a gateway, and inside the
//          zones on each side from or to that gateway. Bypasses of that zone go before all of it.
// Ends:    each step of the recursion is about a zone inside the previous one, so it ends.
// Errors:  none; a description that does not hold together is refused by whoever builds the tree.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "simcore/platform_builder.hpp"

namespace rehearse::platform {

class ZoneTree;

// What is to be joined: two different points of one zone, or one point with itself.
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
  // As Routing::append_route. Other zones are asked through the tree.
  virtual bool append(const ZoneTree& tree, const Ends& ends, Route& route) const = 0;
};

// From one point of a zone to another, and where that begins and ends inside of them.
struct Bypass {
  std::vector<LinkId> links;
  PointId source_gateway;
  PointId destination_gateway;
};

class ZoneTree final : public Routing {
 public:
  enum class Kind : std::uint8_t { host, router, zone };

  ZoneTree();

  // `index` is that of the host, router or zone among its kind; zones are numbered from 0, the world.
  PointId add_point(PointId zone, Kind kind, std::uint32_t index);
  std::size_t size() const { return points_.size(); }
  void reserve(std::size_t points) { points_.reserve(points_.size() + points); }
  void set_routes(PointId zone, std::unique_ptr<LocalRoutes> routes);
  // Returns false if there is one between these already.
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
  bool append_between(PointId source, PointId destination, Route& route) const;

 private:
  struct Point {
    PointId zone;  // that it lies in
    std::uint32_t local;
    std::uint32_t kind : 2;
    std::uint32_t index : 30;
  };
  using BypassTable = std::map<std::pair<PointId, PointId>, Bypass>;
  struct ZoneEntry {
    std::uint32_t depth = 0;      // zones above it
    std::uint32_t points = 0;     // directly in it
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
