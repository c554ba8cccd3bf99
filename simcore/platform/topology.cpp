// SPDX-License-Identifier: MIT
//
// The common parts of interconnects: limits, and routes of links.
#include "simcore/platform/topology.hpp"

#include <set>

#include "simcore/platform/limited_product.hpp"
#include "simcore/platform/wiring_builder.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

constexpr std::uint64_t described_choices = 8;

class LinkSink final : public RouteSink {
 public:
  LinkSink(const TopologyLayout& layout, Route& route) : layout_(layout), route_(route) {}
  void cross(std::uint32_t cable, bool forward) override {
    const std::uint32_t each = layout_.is_duplex ? 2 : 1;
    const std::uint32_t way = layout_.is_duplex && !forward ? 1 : 0;
    route_.links.push_back({layout_.first_cable.value + cable * each + way});
  }
  void visit(std::uint32_t node) override {
    if (layout_.first_limiter) route_.links.push_back({layout_.first_limiter->value + node});
  }

 private:
  const TopologyLayout& layout_;
  Route& route_;
};

// Draws each cable once, between the nodes before and behind it.
class CableSink final : public RouteSink {
 public:
  explicit CableSink(const Topology::DrawCable& draw) : draw_(draw) {}

  void start() {
    last_.reset();
    cable_.reset();
  }
  void cross(std::uint32_t cable, bool forward) override {
    cable_ = cable;
    forward_ = forward;
  }
  void visit(std::uint32_t node) override {
    if (last_ && cable_ && seen_.insert(*cable_).second)
      draw_(*cable_, forward_ ? *last_ : node, forward_ ? node : *last_);
    last_ = node;
    cable_.reset();
  }

 private:
  const Topology::DrawCable& draw_;
  std::optional<std::uint32_t> last_, cable_;
  bool forward_ = true;
  std::set<std::uint32_t> seen_;
};

class TopologyRoutes final : public LocalRoutes {
 public:
  TopologyRoutes(std::unique_ptr<const Topology> topology, const TopologyLayout& layout, std::vector<PointId> gateways)
      : topology_(std::move(topology)), layout_(layout), gateways_(std::move(gateways)) {}

  void describe(WiringBuilder& wiring) const override {
    const auto leaves = static_cast<std::uint32_t>(topology_->leaf_count());
    topology_->draw_cables([&](std::uint32_t cable, std::uint32_t near, std::uint32_t far) {
      const LinkId link{layout_.first_cable.value + cable * (layout_.is_duplex ? 2 : 1)};
      wiring.wire_switches(near, far, leaves, {link});
    });
  }

  bool append(const ZoneTree& tree, const Ends& ends, Route& route) const override {
    const std::uint64_t leaves = topology_->leaf_count();
    if (ends.from == ends.to && (ends.from >= leaves || topology_->needs_loopback() || layout_.first_loopback)) {
      route.links.push_back(layout_.first_loopback && ends.from < leaves
                                ? LinkId{layout_.first_loopback->value + ends.from}
                                : tree.loopback());
      return true;
    }
    if (ends.from >= leaves || ends.to >= leaves) return false;
    if (!gateways_.empty() && gateways_[ends.from] != ends.source &&
        !tree.append_between(ends.source, gateways_[ends.from], route))
      return false;
    LinkSink sink(layout_, route);
    if (route.choice == 0) topology_->route(ends.from, ends.to, sink);
    else topology_->route(ends.from, ends.to, route.choice, sink);
    return gateways_.empty() || gateways_[ends.to] == ends.destination ||
           tree.append_between(gateways_[ends.to], ends.destination, route);
  }

 private:
  std::unique_ptr<const Topology> topology_;
  TopologyLayout layout_;
  std::vector<PointId> gateways_;  // by leaf; empty: the leaves are hosts
};

Result<std::unique_ptr<Topology>> limited(std::unique_ptr<Topology> topology, const PlatformLimits& limits) {
  const std::uint64_t leaves = topology->leaf_count(), cables = topology->cable_count();
  if (leaves > limits.hosts_max)
    return Error{
        fmt::format("the topology has {} leaves; accepted: up to {}", number_or_more(leaves), limits.hosts_max)};
  const std::uint64_t nodes = topology->switch_count();
  if (cables > limits.links_max || nodes > limits.links_max)
    return Error{fmt::format("the topology has {} cables and {} switches; accepted: up to {} of each",
                             number_or_more(cables), number_or_more(nodes), limits.links_max)};
  return topology;
}

}  // namespace

void Topology::draw_cables(const DrawCable& draw) const {
  const auto leaves = static_cast<std::uint32_t>(leaf_count());
  CableSink sink(draw);
  for (std::uint32_t a = 0; a < leaves; ++a)
    for (std::uint32_t b = 0; b < leaves; ++b) {
      if (a == b) continue;
      sink.start();
      route(a, b, sink);
      for (std::uint64_t choice = 1; choice <= described_choices; ++choice) {
        sink.start();
        route(a, b, choice, sink);
      }
    }
}

std::uint64_t Topology::label(std::uint64_t node) const {
  const std::uint64_t leaves = leaf_count();
  return node < leaves || switch_count() > leaves ? node : 2 * leaves - 1 - (node - leaves);
}

std::unique_ptr<LocalRoutes> make_topology_routes(std::unique_ptr<const Topology> topology,
                                                  const TopologyLayout& layout, std::vector<PointId> gateways) {
  return std::make_unique<TopologyRoutes>(std::move(topology), layout, std::move(gateways));
}

Result<std::unique_ptr<Topology>> make_topology(const Torus& torus, const PlatformLimits& limits) {
  if (torus.dimensions.empty() || torus.dimensions.size() > 16) return Error{"a torus has 1 to 16 dimensions"};
  for (const std::uint32_t size : torus.dimensions)
    if (size == 0) return Error{"a dimension of a torus is at least 1"};
  return limited(make_torus(torus), limits);
}

Result<std::unique_ptr<Topology>> make_topology(const FatTree& tree, const PlatformLimits& limits) {
  const std::size_t levels = tree.down.size();
  if (levels == 0 || levels > 16 || tree.up.size() != levels || tree.ports.size() != levels)
    return Error{"a fat tree has 1 to 16 levels, and for each a number of children, of parents and "
                 "of cables in parallel"};
  for (std::size_t i = 0; i < levels; ++i)
    if (tree.down[i] == 0 || tree.up[i] == 0 || tree.ports[i] == 0)
      return Error{"numbers of children, parents and cables of a fat tree are at least 1"};
  return limited(make_fat_tree(tree), limits);
}

Result<std::unique_ptr<Topology>> make_topology(const Dragonfly& dragonfly, const PlatformLimits& limits) {
  const Dragonfly& d = dragonfly;
  for (const std::uint32_t count : {d.groups, d.blue, d.chassis, d.black, d.blades, d.green, d.nodes})
    if (count == 0) return Error{"the numbers of a dragonfly are at least 1"};
  return limited(make_dragonfly(dragonfly), limits);
}

}  // namespace rehearse::platform
