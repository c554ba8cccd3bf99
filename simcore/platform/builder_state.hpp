// SPDX-License-Identifier: MIT
//
// The state of a PlatformBuilder.
//
// Shape: zones[] has the indices of the tree, where the world is zone 0. An index in the platform's tables is smaller
//        by one, because users do not see the world as a zone.
#pragma once

#include <cmath>

#include "simcore/platform/edge_routes.hpp"
#include "simcore/platform/name_index.hpp"
#include "simcore/platform/star_routes.hpp"
#include "simcore/platform/tables.hpp"
#include "simcore/platform/zone_tree.hpp"

namespace rehearse {

struct PlatformBuilder::State {
  struct ZoneInWork {
    PointId point;
    ZoneRouting routing = ZoneRouting::none;
    platform::EdgeRoutes* edges = nullptr;  // owned by the tree, like the next two
    platform::StarRoutes* star = nullptr;
    platform::VivaldiRoutes* vivaldi = nullptr;
    std::optional<LinkId> medium = {};
    std::optional<PointId> access_point = {};
  };

  explicit State(PlatformLimits limits);

  std::string_view name_of(std::uint32_t point) const;
  // False, with a mistake, if the name is empty or taken.
  bool claim_point(const std::string& name, std::size_t hosts = 0);
  PointId append_point(PointId zone, platform::ZoneTree::Kind kind, std::uint32_t index);
  PointId append_host(PointId zone, std::string name, double speed, std::uint32_t cores);
  bool has_link(const std::string& name) const;
  bool can_append_links(std::size_t count);
  // Requires a new name.
  LinkId append_link(std::string name, const LinkDescription& like, double bandwidth_factor = 1);
  bool is_quantity(double value, double maximum, const std::string& what);
  bool check(const LinkDescription& link);
  bool check_speeds(const std::string& host, const std::vector<double>& speeds, std::uint32_t cores,
                    std::uint32_t initial);
  std::optional<PointId> gateway(PointId end, std::optional<PointId> given);
  bool append_uses(const std::vector<LinkUse>& uses, std::vector<LinkId>& forward, std::vector<LinkId>& backward);
  bool check_ends(const RouteDescription& route);
  void finish_zone(ZoneInWork& zone);
  void finish_vivaldi(ZoneInWork& zone, PointId point);
  ZoneInWork& zone(PointId point) { return zones[tree->index(point)]; }
  void refuse(std::string text) {
    if (!mistake) mistake = Error{std::move(text)};
  }

  PlatformLimits limits;
  std::unique_ptr<PlatformTables> tables = std::make_unique<PlatformTables>();
  std::unique_ptr<platform::ZoneTree> tree = std::make_unique<platform::ZoneTree>();
  std::vector<ZoneInWork> zones;
  std::vector<std::string> routers;  // names
  platform::NameIndex point_names;
  std::vector<bool> is_duplex_up;                // by link: the next link is its other direction
  platform::SideTable<Coordinates> coordinates;  // by point
  LinkDescription loopback;
  std::optional<Error> mistake;
};

}  // namespace rehearse
