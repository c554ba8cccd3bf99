// SPDX-License-Identifier: MIT
//
// Collects the wiring of a platform from the routes of its zones.
//
// Shape: describe() of a zone's routes gets the builder after enter(zone), and calls the functions below it.
#pragma once

#include <map>

#include "simcore/platform/zone_tree.hpp"
#include "simcore/platform_wiring.hpp"

namespace rehearse::platform {

class WiringBuilder {
 public:
  WiringBuilder(const ZoneTree& tree, std::size_t points_max, PlatformWiring& wiring);

  bool is_shown(PointId zone) const;  // its inside
  void enter(PointId zone);

  std::uint32_t points() const { return static_cast<std::uint32_t>(inside_->size()); }
  PointId point(std::uint32_t local) const { return (*inside_)[local]; }
  bool is_zone(PointId point) const { return tree_.kind(point) == ZoneTree::Kind::zone; }

  // Between hosts and routers. Nothing if both are shown as one node.
  void wire(PointId from, PointId to, std::vector<LinkId> links);
  // Between a host or router and the centre of the zone.
  void wire_to_centre(PointId point, std::vector<LinkId> links);
  // The centre is behind this link, seen from the routers of the zone.
  void set_backbone(LinkId backbone) { backbone_ = backbone; }
  // Joins the centre with the routers of the zone, which have no links of their own.
  void wire_routers();
  void wire_switches(std::uint32_t from, std::uint32_t to, std::uint32_t leaves, std::vector<LinkId> links);

 private:
  std::uint32_t add(WiringNode node);
  std::uint32_t node_of(PointId point) const { return nodes_[point.value]; }
  std::uint32_t centre();
  std::uint32_t switch_node(std::uint32_t number, std::uint32_t leaves);
  ZoneId zone_id() const { return {tree_.index(zone_) - 1}; }
  std::vector<PointId> routers() const;

  const ZoneTree& tree_;
  std::size_t points_max_;
  PlatformWiring& wiring_;
  std::vector<std::uint32_t> nodes_;          // by point
  std::vector<std::vector<PointId>> points_;  // by zone, in local order
  PointId zone_;
  const std::vector<PointId>* inside_ = nullptr;
  std::optional<std::uint32_t> centre_;
  std::optional<LinkId> backbone_;
  std::map<std::uint32_t, std::uint32_t> switches_;
};

}  // namespace rehearse::platform
