// SPDX-License-Identifier: MIT
//
// A platform under construction: names, points, links and their properties.
//
// Source: the default loopback (10e9 bytes per second, no latency, never shared) is that of SimGrid's documentation, so
//         that simulated dates agree with SimGrid.
#include "simcore/platform/builder_state.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

using platform::ZoneTree;

namespace {

constexpr double seconds_max = 9e6;  // simulated time ends after 106 days
constexpr double rate_max = 1e30;

std::string text_of(double value) {
  std::string text = std::to_string(value);
  return text.size() > 24 ? text.substr(0, 20) + "..." : text;
}

}  // namespace

PlatformBuilder::State::State(PlatformLimits given) : limits(given) {
  zones.push_back({PointId{}, ZoneRouting::none});
  loopback = {"__loopback__", 10e9, 0, LinkPolicy::fatpipe};
}

std::string_view PlatformBuilder::State::name_of(std::uint32_t point) const {
  const PointId id{point};
  switch (tree->kind(id)) {
    case ZoneTree::Kind::host: return tables->hosts[tree->index(id)].name;
    case ZoneTree::Kind::router: return routers[tree->index(id)];
    case ZoneTree::Kind::zone: break;
  }
  return id == PointId{} ? std::string_view() : tables->zones[tree->index(id) - 1].name;
}

bool PlatformBuilder::State::claim_point(const std::string& name, std::size_t hosts) {
  if (mistake) return false;
  if (name.empty()) refuse("a host, router or zone needs a name that is not empty");
  const auto names = [this](std::uint32_t point) { return name_of(point); };
  if (point_names.find(name, names)) refuse("'" + name + "' is already the name of a host, router or zone");
  if (tables->hosts.size() + hosts > limits.hosts_max) refuse(fmt::format("more than {} hosts", limits.hosts_max));
  constexpr std::size_t points_max = std::size_t{1} << 28;
  if (routers.size() + zones.size() + tables->hosts.size() > points_max) refuse("too many hosts, routers and zones");
  return !mistake;
}

// Requires: the name is already in the tables, so that name_of() finds it.
PointId PlatformBuilder::State::append_point(PointId zone, ZoneTree::Kind kind, std::uint32_t index) {
  const PointId id = tree->add_point(zone, kind, index);
  point_names.add(name_of(id.value), id.value, [this](std::uint32_t point) { return name_of(point); });
  return id;
}

PointId PlatformBuilder::State::append_host(PointId zone, std::string name, double speed, std::uint32_t cores) {
  const auto index = static_cast<std::uint32_t>(tables->hosts.size());
  tables->hosts.push_back({std::move(name), speed, cores});
  return append_point(zone, ZoneTree::Kind::host, index);
}

bool PlatformBuilder::State::is_quantity(double value, double maximum, const std::string& what) {
  if (mistake) return false;
  if (!std::isfinite(value) || value < 0 || value > maximum)
    refuse(what + " " + text_of(value) + " is not between 0 and " + text_of(maximum));
  return !mistake;
}

bool PlatformBuilder::State::check_speeds(const std::string& host, const std::vector<double>& speeds,
                                          std::uint32_t cores, std::uint32_t initial) {
  if (speeds.empty()) refuse("host '" + host + "' has no speed");
  double greatest = 0;
  for (const double speed : speeds) {
    (void)is_quantity(speed, rate_max, "speed of host '" + host + "':");
    greatest = std::max(greatest, speed);
  }
  if (greatest <= 0) refuse("a host needs a speed greater than 0");
  if (cores == 0) refuse("a host needs at least one core");
  if (!mistake && initial >= speeds.size())
    refuse(fmt::format("pstate {} is not one of the {} speeds, which are counted from 0", initial, speeds.size()));
  return !mistake;
}

bool PlatformBuilder::State::has_link(const std::string& name) const {
  return tables->link_names.find(name, [this](std::uint32_t i) -> std::string_view { return tables->links[i].name; })
      .has_value();
}

bool PlatformBuilder::State::can_append_links(std::size_t count) {
  if (tables->links.size() + count > limits.links_max) refuse(fmt::format("more than {} links", limits.links_max));
  return !mistake;
}

LinkId PlatformBuilder::State::append_link(std::string name, const LinkDescription& like, double bandwidth_factor) {
  const auto id = static_cast<std::uint32_t>(tables->links.size());
  const LinkSharing sharing = like.policy == LinkPolicy::fatpipe ? LinkSharing::fatpipe
                              : like.policy == LinkPolicy::wifi  ? LinkSharing::wifi
                                                                 : LinkSharing::shared;
  tables->links.push_back({std::move(name), like.bytes_per_second * bandwidth_factor, like.latency_seconds, sharing});
  is_duplex_up.push_back(false);
  tables->link_names.add(tables->links.back().name, id,
                         [this](std::uint32_t i) -> std::string_view { return tables->links[i].name; });
  if (like.concurrency_limit > 0) tables->concurrency_limits.add(id, like.concurrency_limit);
  if (!like.properties.empty()) tables->link_properties.add(id, like.properties);
  return {id};
}

bool PlatformBuilder::State::check(const LinkDescription& link) {
  if (mistake) return false;
  (void)is_quantity(link.latency_seconds, seconds_max, "latency in seconds:");
  if (link.policy == LinkPolicy::wifi) {
    if (link.wifi_rates.empty()) refuse("a wifi link needs a bandwidth for each level");
    for (const double rate : link.wifi_rates)
      if (is_quantity(rate, rate_max, "bandwidth:") && rate == 0) refuse("a bandwidth must be greater than 0");
  } else if (is_quantity(link.bytes_per_second, rate_max, "bandwidth:") && link.bytes_per_second == 0) {
    refuse("a bandwidth must be greater than 0");
  }
  return !mistake;
}

PlatformBuilder::PlatformBuilder(PlatformLimits limits) : state_(std::make_unique<State>(limits)) {}

PlatformBuilder::~PlatformBuilder() = default;

PointId PlatformBuilder::add_zone(PointId parent, const std::string& name, ZoneRouting routing) {
  State& s = *state_;
  if (s.claim_point(name) && s.tree->depth_of_zone(parent) >= s.limits.depth_max)
    s.refuse(fmt::format("zones are nested more than {} deep", s.limits.depth_max));
  if (s.mistake) return {};
  const auto index = static_cast<std::uint32_t>(s.zones.size());
  const std::uint32_t parent_index = s.tree->index(parent);
  s.tables->zones.push_back(
      {name, routing, parent_index == 0 ? std::optional<ZoneId>() : std::optional(ZoneId{parent_index - 1})});
  const PointId id = s.append_point(parent, ZoneTree::Kind::zone, index);
  State::ZoneInWork work{id, routing};
  std::unique_ptr<platform::LocalRoutes> routes;
  const auto keep = [&](auto made) {
    auto* pointer = made.get();
    routes = std::move(made);
    return pointer;
  };
  switch (routing) {
    case ZoneRouting::full:
    case ZoneRouting::floyd:
    case ZoneRouting::dijkstra:
    case ZoneRouting::dijkstra_cache: work.edges = keep(std::make_unique<platform::EdgeRoutes>(routing)); break;
    case ZoneRouting::star: work.star = keep(std::make_unique<platform::StarRoutes>()); break;
    case ZoneRouting::vivaldi: work.vivaldi = keep(std::make_unique<platform::VivaldiRoutes>()); break;
    case ZoneRouting::none:
    case ZoneRouting::wifi:
    case ZoneRouting::torus:
    case ZoneRouting::fat_tree:
    case ZoneRouting::dragonfly: break;  // set in finish_zone, when all points are known
  }
  if (routes) s.tree->set_routes(id, std::move(routes));
  s.zones.push_back(work);
  return id;
}

PointId PlatformBuilder::add_host(PointId zone, const HostDescription& host) {
  State& s = *state_;
  if (!s.claim_point(host.name, 1) || !s.check_speeds(host.name, host.speeds, host.cores, host.initial_pstate))
    return {};
  if (zone == world()) s.refuse("a host must lie in a zone");
  if (s.zone(zone).routing == ZoneRouting::vivaldi && !host.coordinates)
    s.refuse("host '" + host.name + "' lies in a zone of kind Vivaldi: it needs coordinates");
  if (s.mistake) return {};
  const auto index = static_cast<std::uint32_t>(s.tables->hosts.size());
  const PointId id = s.append_host(zone, host.name, host.speeds[host.initial_pstate], host.cores);
  if (host.speeds.size() > 1) s.tables->speeds.add(index, {host.speeds, host.initial_pstate});
  if (!host.properties.empty()) s.tables->host_properties.add(index, host.properties);
  if (host.coordinates) s.coordinates.add(id.value, *host.coordinates);
  return id;
}

PointId PlatformBuilder::add_router(PointId zone, const std::string& name, std::optional<Coordinates> coordinates) {
  State& s = *state_;
  if (zone == world()) s.refuse("a router must lie in a zone");
  if (!s.claim_point(name)) return {};
  s.routers.push_back(name);
  const PointId id = s.append_point(zone, ZoneTree::Kind::router, static_cast<std::uint32_t>(s.routers.size() - 1));
  if (coordinates) s.coordinates.add(id.value, *coordinates);
  return id;
}

PointId PlatformBuilder::add_peer(PointId zone, const PeerDescription& peer) {
  State& s = *state_;
  if (!s.mistake && s.zone(zone).routing != ZoneRouting::vivaldi) s.refuse("a peer lies in a zone of kind Vivaldi");
  const PointId id = add_host(zone, peer.host);
  const std::string name = "link_" + peer.host.name;
  const LinkHandle up = add_link({name + "_UP", peer.out_bytes_per_second});
  const LinkHandle down = add_link({name + "_DOWN", peer.in_bytes_per_second});
  if (!s.mistake) s.zone(zone).vivaldi->set_leg(s.tree->local(id), {{up.up}, {down.up}});
  return id;
}

LinkHandle PlatformBuilder::add_link(const LinkDescription& link) {
  State& s = *state_;
  if (!s.check(link) || !s.can_append_links(2)) return {};
  const bool is_duplex = link.policy == LinkPolicy::split_duplex;
  if (link.name.empty()) s.refuse("a link needs a name that is not empty");
  const bool is_taken = find_link(link.name).has_value() ||
                        (is_duplex && (s.has_link(link.name + "_UP") || s.has_link(link.name + "_DOWN")));
  if (!s.mistake && is_taken) s.refuse("'" + link.name + "' is already the name of a link");
  if (s.mistake) return {};
  if (is_duplex) {
    const LinkId up = s.append_link(link.name + "_UP", link);
    s.is_duplex_up[up.value] = true;
    return {up, s.append_link(link.name + "_DOWN", link), true};
  }
  LinkDescription like = link;
  if (link.policy == LinkPolicy::wifi) like.bytes_per_second = link.wifi_rates.front();
  const LinkId id = s.append_link(link.name, like);
  if (link.policy == LinkPolicy::wifi) s.tables->wifi_rates.add(id.value, link.wifi_rates);
  return {id, id, false};
}

DiskId PlatformBuilder::add_disk(PointId host, const DiskDescription& disk) {
  State& s = *state_;
  if (s.mistake) return {};
  REHEARSE_ASSERT(is_host(host), "a disk belongs to a host");
  const double both = std::max(disk.read_bytes_per_second, disk.write_bytes_per_second);
  const double total = disk.total_bytes_per_second == 0 ? both : disk.total_bytes_per_second;
  for (const double rate : {disk.read_bytes_per_second, disk.write_bytes_per_second, total})
    if (s.is_quantity(rate, rate_max, "bandwidth of a disk:") && rate == 0)
      s.refuse("a bandwidth must be greater than 0");
  if (disk.name.empty()) s.refuse("a disk needs a name that is not empty");
  const std::uint32_t owner = s.tree->index(host);
  const std::vector<DiskId>* old = s.tables->disks_of.find(owner);
  for (const DiskId other : old == nullptr ? std::vector<DiskId>() : *old)
    if (s.tables->disks[other.value].name == disk.name)
      s.refuse("'" + disk.name + "' is already the name of a disk of this host");
  if (s.mistake) return {};
  const DiskId id{static_cast<std::uint32_t>(s.tables->disks.size())};
  s.tables->disks.push_back({disk.name, {owner}, disk.read_bytes_per_second, disk.write_bytes_per_second, total});
  if (!disk.properties.empty()) s.tables->disk_properties.add(id.value, disk.properties);
  if (old == nullptr) s.tables->disks_of.add(owner, {id});
  else s.tables->disks_of.change(owner)->push_back(id);
  return id;
}

std::optional<PointId> PlatformBuilder::find_point(const std::string& name) const {
  const auto found = state_->point_names.find(name, [this](std::uint32_t point) { return state_->name_of(point); });
  return found ? std::optional(PointId{*found}) : std::nullopt;
}

std::optional<LinkHandle> PlatformBuilder::find_link(const std::string& name) const {
  const auto find = [this](const std::string& text) {
    return state_->tables->link_names.find(text, [this](std::uint32_t i) -> std::string_view {
      return state_->tables->links[i].name;
    });
  };
  if (const auto single = find(name)) return LinkHandle{{*single}, {*single}, false};
  const auto up = find(name + "_UP");
  if (!up || !state_->is_duplex_up[*up]) return std::nullopt;
  return LinkHandle{{*up}, {*up + 1}, true};
}

bool PlatformBuilder::is_host(PointId point) const { return state_->tree->kind(point) == ZoneTree::Kind::host; }
bool PlatformBuilder::is_zone(PointId point) const { return state_->tree->kind(point) == ZoneTree::Kind::zone; }
PointId PlatformBuilder::zone_of(PointId point) const { return state_->tree->zone_of(point); }
ZoneRouting PlatformBuilder::routing_of(PointId zone) const { return state_->zone(zone).routing; }
std::size_t PlatformBuilder::host_count() const { return state_->tables->hosts.size(); }
const PlatformLimits& PlatformBuilder::limits() const { return state_->limits; }
PlatformSettings& PlatformBuilder::settings() { return state_->tables->settings; }
const std::optional<Error>& PlatformBuilder::mistake() const { return state_->mistake; }
void PlatformBuilder::refuse(std::string text) { state_->refuse(std::move(text)); }

}  // namespace rehearse
