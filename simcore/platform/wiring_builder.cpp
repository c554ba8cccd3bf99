// SPDX-License-Identifier: MIT
//
// Makes the nodes of a wiring, and joins them.
#include "simcore/platform/wiring_builder.hpp"

#include "simcore/support/format.hpp"

namespace rehearse::platform {

WiringBuilder::WiringBuilder(const ZoneTree& tree, std::size_t points_max, PlatformWiring& wiring)
    : tree_(tree), points_max_(points_max), wiring_(wiring) {
  nodes_.resize(tree.size());
  points_.resize(1);
  for (std::uint32_t i = 1; i < tree.size(); ++i) {
    const PointId point{i}, zone = tree.zone_of(point);
    const std::uint32_t index = tree.index(point);
    points_[tree.index(zone)].push_back(point);
    const bool is_zone = tree.kind(point) == ZoneTree::Kind::zone;
    if (is_zone) points_.emplace_back();
    const std::optional<ZoneId> in = zone == PointId{} ? std::nullopt : std::optional(ZoneId{tree.index(zone) - 1});
    if (!is_shown(zone)) {
      nodes_[i] = nodes_[zone.value];
      if (tree.kind(point) == ZoneTree::Kind::host) ++wiring_.nodes[nodes_[i]].hosts;
    } else if (!is_zone) {
      const bool is_host = tree.kind(point) == ZoneTree::Kind::host;
      nodes_[i] = add({is_host ? WiringNode::Kind::host : WiringNode::Kind::router, "", index, in});
    } else if (!is_shown(point)) {
      nodes_[i] = add({WiringNode::Kind::zone, "", index - 1, in});
    }
  }
}

bool WiringBuilder::is_shown(PointId zone) const {
  while (zone != PointId{}) {
    if (tree_.point_count(zone) > points_max_) return false;
    zone = tree_.zone_of(zone);
  }
  return true;
}

void WiringBuilder::enter(PointId zone) {
  zone_ = zone;
  inside_ = &points_[tree_.index(zone)];
  centre_.reset();
  backbone_.reset();
  switches_.clear();
}

std::uint32_t WiringBuilder::add(WiringNode node) {
  wiring_.nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(wiring_.nodes.size() - 1);
}

std::vector<PointId> WiringBuilder::routers() const {
  std::vector<PointId> found;
  for (const PointId point : *inside_)
    if (tree_.kind(point) == ZoneTree::Kind::router) found.push_back(point);
  return found;
}

std::uint32_t WiringBuilder::centre() {
  if (centre_) return *centre_;
  const std::vector<PointId> found = routers();
  centre_ = found.size() == 1 && !backbone_
                ? node_of(found.front())
                : add({WiringNode::Kind::centre, "", backbone_ ? backbone_->value + 1 : 0, zone_id()});
  return *centre_;
}

void WiringBuilder::wire(PointId from, PointId to, std::vector<LinkId> links) {
  if (node_of(from) != node_of(to)) wiring_.wires.push_back({node_of(from), node_of(to), std::move(links)});
}

void WiringBuilder::wire_to_centre(PointId point, std::vector<LinkId> links) {
  const std::uint32_t node = node_of(point), middle = centre();
  if (node != middle) wiring_.wires.push_back({node, middle, std::move(links)});
}

void WiringBuilder::wire_routers() {
  for (const PointId router : routers())
    if (backbone_) wire_to_centre(router, {*backbone_});
    else wire_to_centre(router, {});
}

std::uint32_t WiringBuilder::switch_node(std::uint32_t number, std::uint32_t leaves) {
  if (number < leaves) return node_of(point(number));
  const auto [at, is_new] = switches_.emplace(number, 0);
  if (is_new)
    at->second =
        add({WiringNode::Kind::switch_node, fmt::format("switch {}", number - leaves), number - leaves, zone_id()});
  return at->second;
}

void WiringBuilder::wire_switches(std::uint32_t from, std::uint32_t to, std::uint32_t leaves,
                                  std::vector<LinkId> links) {
  const std::uint32_t a = switch_node(from, leaves);
  const std::uint32_t b = switch_node(to, leaves);
  if (a != b) wiring_.wires.push_back({a, b, std::move(links)});
}

}  // namespace rehearse::platform
