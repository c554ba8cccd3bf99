// SPDX-License-Identifier: MIT
//
// Expands clusters and cabinets into hosts and links.
//
// Source: the names of hosts and links are those of SimGrid's documentation. If two clusters of a platform would give
//         the same name to a cable, the later cluster adds its own name as a prefix.
#include "simcore/platform/builder_state.hpp"
#include "simcore/platform/topology.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

using platform::ZoneTree;

namespace {

LinkDescription cable_of(const ClusterDescription& cluster) {
  return {"", cluster.bytes_per_second, cluster.latency_seconds, cluster.policy};
}

std::string leaf_name(const ClusterDescription& cluster, std::uint32_t number) {
  return fmt::format("{}{}{}", cluster.prefix, number, cluster.suffix);
}

ZoneRouting kind_of(const ClusterDescription& cluster) {
  constexpr ZoneRouting kinds[] = {ZoneRouting::star, ZoneRouting::torus, ZoneRouting::fat_tree,
                                   ZoneRouting::dragonfly};
  return kinds[cluster.topology.index()];
}

// Builds one cluster; after a mistake all further steps do nothing.
class ClusterWork {
 public:
  ClusterWork(PlatformBuilder& builder, PlatformBuilder::State& state, const ClusterDescription& cluster)
      : builder_(builder), s_(state), cluster_(cluster) {}

  bool check();
  void add_leaves(PointId zone);
  void add_flat_links(PointId zone);
  void add_topology_links(PointId zone, std::unique_ptr<platform::Topology> topology);
  void add_router(PointId zone);

 private:
  void add_hosts(PointId zone);
  LinkId append_pair(const std::string& name, double factor);
  bool is_new(const std::string& name) {
    if (!s_.mistake && builder_.find_link(name)) s_.refuse("'" + name + "' is already the name of a link");
    return !s_.mistake;
  }

  PlatformBuilder& builder_;
  PlatformBuilder::State& s_;
  const ClusterDescription& cluster_;
  std::vector<PointId> gateways_;
};

bool ClusterWork::check() {
  const bool is_flat = std::holds_alternative<Flat>(cluster_.topology);
  if (s_.mistake) return false;
  if (cluster_.numbers.empty()) s_.refuse("a cluster has at least one host");
  if (cluster_.policy == LinkPolicy::wifi) s_.refuse("cables of a cluster are not wifi");
  (void)s_.check(cable_of(cluster_));
  for (const auto* link : {&cluster_.backbone, &cluster_.loopback, &cluster_.limiter})
    if (*link) (void)s_.check(**link);
  if (cluster_.backbone && !is_flat) s_.refuse("only flat clusters have a backbone");
  if (!cluster_.make_leaf)
    (void)s_.check_speeds(cluster_.name, cluster_.speeds, cluster_.cores, cluster_.initial_pstate);
  if (s_.tables->hosts.size() + cluster_.numbers.size() > s_.limits.hosts_max)
    s_.refuse(fmt::format("more than {} hosts", s_.limits.hosts_max));
  return !s_.mistake;
}

void ClusterWork::add_leaves(PointId zone) {
  if (!cluster_.make_leaf) return add_hosts(zone);
  for (std::uint32_t i = 0; i < cluster_.numbers.size() && !s_.mistake; ++i) {
    const ClusterLeaf leaf = cluster_.make_leaf(builder_, zone, cluster_.numbers[i]);
    if (s_.mistake) return;
    if (s_.tree->zone_of(leaf.point) != zone || s_.tree->local(leaf.point) != i)
      return s_.refuse(
          fmt::format("leaf {} of cluster '{}' is not the one point that was added to its zone", i, cluster_.name));
    const auto gateway = s_.gateway(leaf.point, leaf.gateway);
    gateways_.push_back(gateway.value_or(PointId{}));
  }
}

void ClusterWork::add_hosts(PointId zone) {
  const auto first = static_cast<std::uint32_t>(s_.tables->hosts.size());
  const auto count = static_cast<std::uint32_t>(cluster_.numbers.size());
  const auto names = [this](std::uint32_t point) { return s_.name_of(point); };
  s_.tables->hosts.reserve(first + count);
  s_.tree->reserve(count);
  s_.point_names.reserve(s_.tree->size() + count, names);
  for (const std::uint32_t number : cluster_.numbers) {
    std::string name = leaf_name(cluster_, number);
    if (!s_.claim_point(name)) return;
    s_.append_host(zone, std::move(name), cluster_.speeds[cluster_.initial_pstate], cluster_.cores);
  }
  if (cluster_.speeds.size() > 1)
    s_.tables->speeds.add(first, first + count, {cluster_.speeds, cluster_.initial_pstate});
  if (!cluster_.properties.empty()) s_.tables->host_properties.add(first, first + count, cluster_.properties);
}

// Appends one link, or the two links of a split-duplex one. Requires a new name.
LinkId ClusterWork::append_pair(const std::string& name, double factor) {
  const LinkDescription like = cable_of(cluster_);
  if (cluster_.policy != LinkPolicy::split_duplex) return s_.append_link(name, like, factor);
  if (s_.has_link(name + "_UP") || s_.has_link(name + "_DOWN"))
    s_.refuse("'" + name + "_UP' or '" + name + "_DOWN' is already the name of a link");
  if (s_.mistake) return {};
  const LinkId up = s_.append_link(name + "_UP", like, factor);
  s_.is_duplex_up[up.value] = true;
  s_.append_link(name + "_DOWN", like, factor);
  return up;
}

void ClusterWork::add_flat_links(PointId zone) {
  platform::FlatLayout layout;
  layout.leaves = static_cast<std::uint32_t>(cluster_.numbers.size());
  layout.has_loopback = cluster_.loopback.has_value();
  layout.has_limiter = cluster_.limiter.has_value();
  layout.is_duplex = cluster_.policy == LinkPolicy::split_duplex;
  const std::size_t count = std::size_t{layout.leaves} * layout.links_per_leaf() + 1;
  if (s_.mistake || !s_.can_append_links(count)) return;
  layout.first_link = {static_cast<std::uint32_t>(s_.tables->links.size())};
  s_.tables->links.reserve(s_.tables->links.size() + count + 1);
  s_.tables->link_names.reserve(s_.tables->links.size() + count + 1,
                                [this](std::uint32_t i) -> std::string_view { return s_.tables->links[i].name; });
  for (const std::uint32_t number : cluster_.numbers) {
    const std::string name = fmt::format("{}_link_{}", cluster_.name, number);
    if (!is_new(name)) return;
    if (layout.has_loopback) s_.append_link(name + "_loopback", *cluster_.loopback);
    if (layout.has_limiter) s_.append_link(name + "_limiter", *cluster_.limiter);
    append_pair(name, 1);
  }
  if (cluster_.backbone && is_new(cluster_.name + "_backbone"))
    layout.backbone = s_.append_link(cluster_.name + "_backbone", *cluster_.backbone);
  s_.tree->set_routes(zone, std::make_unique<platform::FlatRoutes>(layout, std::move(gateways_)));
}

void ClusterWork::add_topology_links(PointId zone, std::unique_ptr<platform::Topology> topology) {
  if (s_.mistake) return;
  const auto leaves = static_cast<std::uint32_t>(topology->leaf_count());
  const auto nodes = static_cast<std::uint32_t>(leaves + topology->switch_count());
  const auto cables = static_cast<std::uint32_t>(topology->cable_count());
  platform::TopologyLayout layout;
  layout.is_duplex = cluster_.policy == LinkPolicy::split_duplex;
  if (!s_.can_append_links((cluster_.loopback ? leaves : 0u) + std::size_t{2} * cables +
                           (cluster_.limiter ? nodes : 0u)))
    return;
  const auto add_each = [&](std::uint32_t count, const char* ending, const LinkDescription& like) {
    const LinkId first{static_cast<std::uint32_t>(s_.tables->links.size())};
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string name = fmt::format("{}_link_{}{}", cluster_.name, topology->label(i), ending);
      if (is_new(name)) s_.append_link(name, like);
    }
    return first;
  };
  if (cluster_.loopback) layout.first_loopback = add_each(leaves, "_loopback", *cluster_.loopback);
  if (cluster_.limiter) layout.first_limiter = add_each(nodes, "_limiter", *cluster_.limiter);
  layout.first_cable = {static_cast<std::uint32_t>(s_.tables->links.size())};
  const bool is_first = cables == 0 || !builder_.find_link(topology->cable(0, cluster_.name).name);
  for (std::uint32_t i = 0; i < cables && !s_.mistake; ++i) {
    platform::Cable cable = topology->cable(i, cluster_.name);
    if (!is_first || builder_.find_link(cable.name)) cable.name.insert(0, cluster_.name + "_");
    if (is_new(cable.name)) append_pair(cable.name, cable.bandwidth_factor);
  }
  if (!s_.mistake)
    s_.tree->set_routes(zone, platform::make_topology_routes(std::move(topology), layout, std::move(gateways_)));
}

// A flat cluster always has a router. In other topologies the router is only a name.
void ClusterWork::add_router(PointId zone) {
  const bool is_flat = std::holds_alternative<Flat>(cluster_.topology);
  if (!cluster_.router.empty()) builder_.add_router(zone, cluster_.router);
  else if (is_flat) builder_.add_router(zone, cluster_.prefix + cluster_.name + "_router" + cluster_.suffix);
}

}  // namespace

PointId PlatformBuilder::add_cluster(PointId parent, const ClusterDescription& cluster) {
  State& s = *state_;
  ClusterWork work(*this, s, cluster);
  if (!work.check()) return {};
  std::unique_ptr<platform::Topology> topology;
  const auto make = [&](const auto& shape) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(shape)>, Flat>) {
      auto made = platform::make_topology(shape, s.limits);
      if (made) topology = std::move(made.value());
      else s.refuse(made.error().text);
    }
  };
  std::visit(make, cluster.topology);
  if (topology && topology->leaf_count() != cluster.numbers.size())
    s.refuse(fmt::format("the topology has {} leaves, but the cluster {} hosts", topology->leaf_count(),
                         cluster.numbers.size()));
  if (s.mistake) return {};
  const PointId zone = add_zone(parent, cluster.name, kind_of(cluster));
  if (s.mistake) return {};
  // The routes of its hosts are computed by formula, so it accepts no individual links.
  s.zone(zone).star = nullptr;
  set_properties(zone, cluster.properties);
  work.add_leaves(zone);
  if (topology) work.add_topology_links(zone, std::move(topology));
  else work.add_flat_links(zone);
  work.add_router(zone);
  return s.mistake ? PointId{} : zone;
}

void PlatformBuilder::add_cabinet(PointId star, const ClusterDescription& cabinet) {
  State& s = *state_;
  if (s.mistake) return;
  if (s.zone(star).star == nullptr) return s.refuse("a cabinet lies in a zone with routing Cluster");
  if (!s.check_speeds(cabinet.name, cabinet.speeds, cabinet.cores, cabinet.initial_pstate)) return;
  for (const std::uint32_t number : cabinet.numbers) {
    const std::string name = leaf_name(cabinet, number);
    const PointId host = add_host(star, {name, cabinet.speeds, cabinet.cores, cabinet.initial_pstate});
    LinkDescription link = cable_of(cabinet);
    link.name = "link_" + name;
    link.policy = LinkPolicy::split_duplex;
    const LinkHandle pair = add_link(link);
    set_leg(star, host, {{pair.up}, {pair.down}});
    if (s.mistake) return;
  }
}

}  // namespace rehearse
