// SPDX-License-Identifier: MIT
//
// Zones in which each point has its own links: stars, flat clusters, coordinates, wifi.
//
// Star:    up, backbone, down. A link that occurs twice is crossed once. A router without links is on the far side of
//          the backbone.
// Flat:    the same by formula, for hosts that were created together, without memory per host.
// Vivaldi: up, down, and the distance of the coordinates as latency. Source: Dabek, Cox, Kaashoek,
//          Morris, SIGCOMM 2004.
// Wifi:    the medium once for each end that is not the access point.
#pragma once

#include <vector>

#include "simcore/platform/side_table.hpp"
#include "simcore/platform/zone_tree.hpp"

namespace rehearse::platform {

class StarRoutes final : public LocalRoutes {
 public:
  // Returns false if the point already has links.
  bool set_leg(std::uint32_t local, StarLeg leg);
  void set_backbone(LinkId backbone) { backbone_ = backbone; }
  bool has_backbone() const { return backbone_.has_value(); }
  bool append(const ZoneTree& tree, const Ends& ends, Route& route) const override;
  void describe(WiringBuilder& wiring) const override;

 private:
  SideTable<StarLeg> legs_;
  std::optional<LinkId> backbone_;
};

// The links of leaf i begin at first_link + i * links_per_leaf(): loopback, limiter, up, down.
struct FlatLayout {
  std::uint32_t leaves = 0;
  LinkId first_link;
  bool has_loopback = false;
  bool has_limiter = false;
  bool is_duplex = false;
  std::optional<LinkId> backbone = {};
  std::uint32_t links_per_leaf() const { return 1u + has_loopback + has_limiter + is_duplex; }
};

class FlatRoutes final : public LocalRoutes {
 public:
  FlatRoutes(FlatLayout layout, std::vector<PointId> gateways) : layout_(layout), gateways_(std::move(gateways)) {}
  bool append(const ZoneTree& tree, const Ends& ends, Route& route) const override;
  void describe(WiringBuilder& wiring) const override;

 private:
  LinkId link(std::uint32_t leaf, std::uint32_t which) const {
    return {layout_.first_link.value + leaf * layout_.links_per_leaf() + which};
  }
  FlatLayout layout_;
  std::vector<PointId> gateways_;  // by leaf; empty: the leaves are hosts
};

class VivaldiRoutes final : public LocalRoutes {
 public:
  void set_leg(std::uint32_t local, StarLeg leg) { legs_.add(local, std::move(leg)); }
  void set_coordinates(std::uint32_t local, Coordinates at) { coordinates_.add(local, at); }
  void set_gateway(std::uint32_t local, PointId gateway) { gateways_.add(local, gateway); }
  bool append(const ZoneTree& tree, const Ends& ends, Route& route) const override;
  void describe(WiringBuilder& wiring) const override;

 private:
  SideTable<StarLeg> legs_;
  SideTable<Coordinates> coordinates_;
  SideTable<PointId> gateways_;  // by zone
};

class WifiRoutes final : public LocalRoutes {
 public:
  WifiRoutes(std::optional<LinkId> medium, std::optional<std::uint32_t> access_point)
      : medium_(medium), access_point_(access_point) {}
  bool append(const ZoneTree& tree, const Ends& ends, Route& route) const override;
  void describe(WiringBuilder& wiring) const override;

 private:
  std::optional<LinkId> medium_;
  std::optional<std::uint32_t> access_point_;
};

}  // namespace rehearse::platform
