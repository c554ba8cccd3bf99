// SPDX-License-Identifier: MIT
//
// Composes routes: up, across, down.
#include "simcore/platform/star_routes.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/platform/wiring_builder.hpp"

namespace rehearse::platform {

namespace {

// Appends links to a route, each link at most once.
class Once {
 public:
  explicit Once(std::vector<LinkId>& links) : links_(links), start_(links.size()) {}
  void add(LinkId link) {
    const auto start = links_.begin() + static_cast<std::ptrdiff_t>(start_);
    if (std::find(start, links_.end(), link) == links_.end()) links_.push_back(link);
  }

 private:
  std::vector<LinkId>& links_;
  std::size_t start_;
};

bool reach(const ZoneTree& tree, PointId from, PointId to, Route& route) {
  return from == to || tree.append_between(from, to, route);
}

}  // namespace

bool StarRoutes::set_leg(std::uint32_t local, StarLeg leg) { return legs_.add(local, std::move(leg)); }

bool StarRoutes::append(const ZoneTree& tree, const Ends& ends, Route& route) const {
  const StarLeg* from = legs_.find(ends.from);
  const StarLeg* to = legs_.find(ends.to);
  // Routers are at the centre. A host without links is not connected.
  using Kind = ZoneTree::Kind;
  if ((from == nullptr && tree.kind(ends.source) == Kind::host) ||
      (to == nullptr && tree.kind(ends.destination) == Kind::host))
    return false;
  if (ends.from == ends.to && from != nullptr && from->loopback) {
    route.links.push_back(*from->loopback);
    return true;
  }
  if (from != nullptr && from->gateway && !reach(tree, ends.source, *from->gateway, route)) return false;
  Once way(route.links);
  if (from != nullptr)
    for (const LinkId link : from->up) way.add(link);
  if (backbone_) way.add(*backbone_);
  if (to != nullptr)
    for (const LinkId link : to->down) way.add(link);
  return to == nullptr || !to->gateway || reach(tree, *to->gateway, ends.destination, route);
}

bool FlatRoutes::append(const ZoneTree& tree, const Ends& ends, Route& route) const {
  const bool from_leaf = ends.from < layout_.leaves;
  const bool to_leaf = ends.to < layout_.leaves;
  if (ends.from == ends.to && from_leaf && layout_.has_loopback) {
    route.links.push_back(link(ends.from, 0));
    return true;
  }
  if (from_leaf && !gateways_.empty() && !reach(tree, ends.source, gateways_[ends.from], route)) return false;
  const std::uint32_t limiter = layout_.has_loopback;
  const std::uint32_t up = limiter + layout_.has_limiter;
  Once way(route.links);
  if (from_leaf && layout_.has_limiter) way.add(link(ends.from, limiter));
  if (from_leaf) way.add(link(ends.from, up));
  if (layout_.backbone) way.add(*layout_.backbone);
  if (to_leaf) way.add(link(ends.to, up + layout_.is_duplex));
  if (to_leaf && layout_.has_limiter) way.add(link(ends.to, limiter));
  return !to_leaf || gateways_.empty() || reach(tree, gateways_[ends.to], ends.destination, route);
}

bool VivaldiRoutes::append(const ZoneTree& tree, const Ends& ends, Route& route) const {
  const Coordinates* a = coordinates_.find(ends.from);
  const Coordinates* b = coordinates_.find(ends.to);
  if (a == nullptr || b == nullptr) return false;
  const PointId* exit = gateways_.find(ends.from);
  if (exit != nullptr && !reach(tree, ends.source, *exit, route)) return false;
  if (const StarLeg* leg = legs_.find(ends.from)) route.links.insert(route.links.end(), leg->up.begin(), leg->up.end());
  if (const StarLeg* leg = legs_.find(ends.to))
    route.links.insert(route.links.end(), leg->down.begin(), leg->down.end());
  const double x = a->x - b->x, y = a->y - b->y;
  constexpr double seconds_per_unit = 1e-3;
  route.latency_seconds += (std::sqrt(x * x + y * y) + std::fabs(a->z) + std::fabs(b->z)) * seconds_per_unit;
  const PointId* entry = gateways_.find(ends.to);
  return entry == nullptr || reach(tree, *entry, ends.destination, route);
}

bool WifiRoutes::append(const ZoneTree&, const Ends& ends, Route& route) const {
  if (!medium_) return false;
  if (access_point_ != ends.from) route.links.push_back(*medium_);
  if (access_point_ != ends.to) route.links.push_back(*medium_);
  return true;
}

void StarRoutes::describe(WiringBuilder& wiring) const {
  if (backbone_) wiring.set_backbone(*backbone_);
  for (std::uint32_t i = 0; i < wiring.points(); ++i)
    if (const StarLeg* leg = legs_.find(i)) wiring.wire_to_centre(leg->gateway.value_or(wiring.point(i)), leg->up);
  wiring.wire_routers();
}

void FlatRoutes::describe(WiringBuilder& wiring) const {
  if (layout_.backbone) wiring.set_backbone(*layout_.backbone);
  const std::uint32_t up = layout_.has_loopback + layout_.has_limiter;
  for (std::uint32_t i = 0; i < layout_.leaves; ++i)
    wiring.wire_to_centre(gateways_.empty() ? wiring.point(i) : gateways_[i], {link(i, up)});
  wiring.wire_routers();
}

void VivaldiRoutes::describe(WiringBuilder& wiring) const {
  for (std::uint32_t i = 0; i < wiring.points(); ++i) {
    const StarLeg* leg = legs_.find(i);
    const PointId* gateway = gateways_.find(i);
    if (coordinates_.find(i) == nullptr) continue;
    wiring.wire_to_centre(gateway != nullptr ? *gateway : wiring.point(i),
                          leg != nullptr ? leg->up : std::vector<LinkId>());
  }
}

void WifiRoutes::describe(WiringBuilder& wiring) const {
  if (!medium_) return;
  wiring.set_backbone(*medium_);
  for (std::uint32_t i = 0; i < wiring.points(); ++i) {
    if (wiring.is_zone(wiring.point(i))) continue;
    if (access_point_ == i) wiring.wire_to_centre(wiring.point(i), {});
    else wiring.wire_to_centre(wiring.point(i), {*medium_});
  }
}

}  // namespace rehearse::platform
