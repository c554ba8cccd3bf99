// SPDX-License-Identifier: MIT
//
// A platform under construction: routes, profiles, actors, and the finished platform.
#include <algorithm>

#include "simcore/platform/builder_state.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {

using platform::ZoneTree;

// The host or router at which a route of this point begins or ends: the point itself, or a gateway inside the zone.
std::optional<PointId> PlatformBuilder::State::gateway(PointId end, std::optional<PointId> given) {
  const bool is_zone = tree->kind(end) == ZoneTree::Kind::zone;
  if (!is_zone && (!given || *given == end)) return end;
  if (!given) given = tree->only_leaf(end);
  const std::string name(name_of(end.value));
  if (!is_zone) refuse("'" + name + "' is not a zone: its only gateway is itself");
  else if (!given) refuse("zone '" + name + "' needs a gateway: it does not have exactly one host or router");
  else if (tree->kind(*given) == ZoneTree::Kind::zone || !tree->is_inside(*given, end))
    refuse("'" + std::string(name_of(given->value)) + "' is not a host or router inside zone '" + name + "'");
  return mistake ? std::nullopt : given;
}

bool PlatformBuilder::State::append_uses(const std::vector<LinkUse>& uses, std::vector<LinkId>& forward,
                                         std::vector<LinkId>& backward) {
  for (const LinkUse& use : uses) {
    if (use.link.up.value >= tables->links.size()) {
      refuse("a link that is not of this platform");
      return false;
    }
    const std::string& name = tables->links[use.link.up.value].name;
    if (use.link.is_duplex && use.direction == Direction::none)
      refuse("link '" + name.substr(0, name.size() - 3) + "' is SPLITDUPLEX: it needs direction UP or DOWN");
    if (!use.link.is_duplex && use.direction != Direction::none)
      refuse("link '" + name + "' is not SPLITDUPLEX: it has no direction");
    const bool is_down = use.direction == Direction::down;
    forward.push_back(is_down ? use.link.down : use.link.up);
    backward.push_back(is_down ? use.link.up : use.link.down);
  }
  for (std::size_t i = 1; i + 1 < forward.size(); ++i)
    if (tables->links[forward[i].value].sharing == LinkSharing::wifi)
      refuse("wifi link '" + tables->links[forward[i].value].name +
             "' in the middle of a route; accepted: at its beginning and its end");
  std::reverse(backward.begin(), backward.end());
  return !mistake;
}

void PlatformBuilder::add_route(PointId zone, const RouteDescription& route) {
  State& s = *state_;
  if (s.mistake) return;
  platform::EdgeRoutes* edges = s.zone(zone).edges;
  if (edges == nullptr)
    return s.refuse("routes are described in zones with routing Full, Floyd, Dijkstra or "
                    "DijkstraCache; this one has another");
  for (const PointId end : {route.source, route.destination})
    if (s.tree->zone_of(end) != zone || end == zone)
      return s.refuse("'" + std::string(s.name_of(end.value)) + "' does not lie directly in the zone of the route");
  if (route.source == route.destination && s.tree->kind(route.source) == ZoneTree::Kind::zone)
    return s.refuse("a route from a zone to itself; describe it inside the zone");
  const auto from = s.gateway(route.source, route.source_gateway);
  const auto to = s.gateway(route.destination, route.destination_gateway);
  std::vector<LinkId> forward, backward;
  if (!from || !to || !s.append_uses(route.links, forward, backward)) return;
  const std::uint32_t a = s.tree->local(route.source), b = s.tree->local(route.destination);
  const bool is_new = edges->add({a, b, 0, 0, *from, *to}, forward) &&
                      (!route.symmetrical || a == b || edges->add({b, a, 0, 0, *to, *from}, backward));
  if (!is_new)
    s.refuse("there is already a route between '" + std::string(s.name_of(route.source.value)) + "' and '" +
             std::string(s.name_of(route.destination.value)) +
             "' in this direction; a route is symmetrical unless it says otherwise");
}

void PlatformBuilder::add_bypass(PointId zone, const RouteDescription& route) {
  State& s = *state_;
  if (s.mistake) return;
  if (route.source == route.destination) return s.refuse("a bypass joins two different ends");
  for (const PointId end : {route.source, route.destination})
    if (end == zone || !s.tree->is_inside(end, zone))
      return s.refuse("'" + std::string(s.name_of(end.value)) + "' does not lie in the zone of the bypass");
  const PointId common = s.tree->common_zone(route.source, route.destination);
  if (common != zone)
    return s.refuse("both ends lie in the zone '" + std::string(s.name_of(common.value)) +
                    "', so the bypass belongs there");
  const auto from = s.gateway(route.source, route.source_gateway);
  const auto to = s.gateway(route.destination, route.destination_gateway);
  std::vector<LinkId> forward, backward;
  if (!from || !to || !s.append_uses(route.links, forward, backward)) return;
  if (!s.tree->add_bypass(zone, route.source, route.destination, {forward, *from, *to}))
    s.refuse("there is already a bypass from '" + std::string(s.name_of(route.source.value)) + "' to '" +
             std::string(s.name_of(route.destination.value)) + "'");
}

void PlatformBuilder::set_leg(PointId star, PointId point, const StarLeg& leg) {
  State& s = *state_;
  if (s.mistake) return;
  if (s.zone(star).star == nullptr) return s.refuse("only zones of kind Cluster have such links");
  if (s.tree->zone_of(point) != star)
    return s.refuse("'" + std::string(s.name_of(point.value)) + "' does not lie in this zone");
  StarLeg complete = leg;
  if (s.tree->kind(point) == ZoneTree::Kind::zone) {
    complete.gateway = s.gateway(point, leg.gateway);
    if (!complete.gateway) return;
  }
  if (!s.zone(star).star->set_leg(s.tree->local(point), std::move(complete)))
    s.refuse("'" + std::string(s.name_of(point.value)) + "' has its links already");
}

void PlatformBuilder::set_backbone(PointId star, LinkId backbone) {
  State& s = *state_;
  if (s.mistake) return;
  if (s.zone(star).star == nullptr) return s.refuse("only zones of kind Cluster have a backbone");
  if (s.zone(star).star->has_backbone()) return s.refuse("this zone has a backbone already");
  s.zone(star).star->set_backbone(backbone);
}

void PlatformBuilder::set_wifi(PointId zone, LinkId link) {
  State& s = *state_;
  if (s.mistake) return;
  if (s.zone(zone).routing != ZoneRouting::wifi || s.tables->links[link.value].sharing != LinkSharing::wifi)
    return s.refuse("a wifi link can only be the medium of a zone with routing Wifi");
  if (s.zone(zone).medium) return s.refuse("this zone has a wifi link already");
  s.zone(zone).medium = link;
}

void PlatformBuilder::set_access_point(PointId zone, PointId host_or_router) {
  State& s = *state_;
  if (s.mistake) return;
  if (s.zone(zone).routing != ZoneRouting::wifi || s.tree->zone_of(host_or_router) != zone || is_zone(host_or_router))
    return s.refuse("access point '" + std::string(s.name_of(host_or_router.value)) +
                    "' is not a host or router of a zone with routing Wifi");
  s.zone(zone).access_point = host_or_router;
}

void PlatformBuilder::set_loopback_bandwidth(double bytes_per_second) {
  state_->loopback.bytes_per_second = bytes_per_second;
  (void)state_->check(state_->loopback);
}

void PlatformBuilder::set_loopback_latency(double seconds) {
  state_->loopback.latency_seconds = seconds;
  (void)state_->check(state_->loopback);
}

void PlatformBuilder::set_properties(PointId zone, const Properties& properties) {
  State& s = *state_;
  if (!s.mistake && is_zone(zone) && zone != world() && !properties.empty())
    s.tables->zone_properties.add(s.tree->index(zone) - 1, properties);
}

namespace {

// Returns false if the resource already has such a profile.
bool add_profile(platform::SideTable<SharedProfile>& table, std::uint32_t number, const SharedProfile& profile) {
  return table.add(number, profile);
}

bool add_profile(platform::SideTable<SharedProfile>& table, LinkHandle link, const SharedProfile& profile) {
  return add_profile(table, link.up.value, profile) &&
         (!link.is_duplex || add_profile(table, link.down.value, profile));
}

}  // namespace

void PlatformBuilder::set_speed_profile(PointId host, SharedProfile profile) {
  State& s = *state_;
  if (!s.mistake && !add_profile(s.tables->host_speed_profiles, s.tree->index(host), profile))
    s.refuse("host '" + std::string(s.name_of(host.value)) + "' has a profile of its speed already");
}

void PlatformBuilder::set_state_profile(PointId host, SharedProfile profile) {
  State& s = *state_;
  if (!s.mistake && !add_profile(s.tables->host_state_profiles, s.tree->index(host), profile))
    s.refuse("host '" + std::string(s.name_of(host.value)) + "' has a profile of its state already");
}

void PlatformBuilder::set_bandwidth_profile(LinkHandle link, const SharedProfile& profile) {
  State& s = *state_;
  if (s.mistake) return;
  if (s.tables->links[link.up.value].sharing == LinkSharing::wifi)
    return s.refuse("a wifi link has rates by level, and no profile of its bandwidth");
  if (!add_profile(s.tables->bandwidth_profiles, link, profile))
    s.refuse("the link has a profile of its bandwidth already");
}

void PlatformBuilder::set_latency_profile(LinkHandle link, const SharedProfile& profile) {
  State& s = *state_;
  if (!s.mistake && !add_profile(s.tables->latency_profiles, link, profile))
    s.refuse("the link has a profile of its latency already");
}

void PlatformBuilder::set_state_profile(LinkHandle link, const SharedProfile& profile) {
  State& s = *state_;
  if (!s.mistake && !add_profile(s.tables->link_state_profiles, link, profile))
    s.refuse("the link has a profile of its state already");
}

void PlatformBuilder::add_actor(PointId host, DeployedActor actor) {
  State& s = *state_;
  if (s.mistake) return;
  REHEARSE_ASSERT(is_host(host), "actors run on hosts");
  actor.host = {s.tree->index(host)};
  s.tables->actors.push_back(std::move(actor));
}

void PlatformBuilder::State::finish_vivaldi(ZoneInWork& in, PointId point) {
  PointId at = point;
  if (tree->kind(point) == ZoneTree::Kind::zone) {
    const std::string name = "router_" + std::string(name_of(point.value));
    const auto found = point_names.find(name, [this](std::uint32_t p) { return name_of(p); });
    const auto exit = found ? std::optional(PointId{*found}) : tree->only_leaf(point);
    if (!exit || !tree->is_inside(*exit, point)) return;  // no route in or out
    at = *exit;
    in.vivaldi->set_gateway(tree->local(point), at);
  }
  if (const Coordinates* place = coordinates.find(at.value)) in.vivaldi->set_coordinates(tree->local(point), *place);
}

void PlatformBuilder::State::finish_zone(ZoneInWork& in) {
  if (in.edges != nullptr) in.edges->freeze(tree->point_count(in.point));
  if (in.routing != ZoneRouting::wifi) return;
  const auto access = in.access_point ? std::optional(tree->local(*in.access_point)) : std::nullopt;
  tree->set_routes(in.point, std::make_unique<platform::WifiRoutes>(in.medium, access));
}

Result<Platform> PlatformBuilder::finish(std::string name) {
  State& s = *state_;
  if (s.tables->hosts.empty()) s.refuse("the platform has no host");
  if (s.mistake) return *s.mistake;
  if (s.has_link(s.loopback.name)) return Error{"'__loopback__' is the reserved name of an internal link"};
  s.tree->set_loopback(s.append_link(s.loopback.name, s.loopback));
  for (State::ZoneInWork& zone : s.zones) s.finish_zone(zone);
  const std::size_t points = s.tree->size();
  for (std::uint32_t i = 1; i < points; ++i) {
    const PointId point{i};
    State::ZoneInWork& zone = s.zone(s.tree->zone_of(point));
    if (zone.vivaldi != nullptr) s.finish_vivaldi(zone, point);
    if (s.tree->kind(point) != ZoneTree::Kind::host) continue;
    const std::uint32_t host = s.tree->index(point);
    if (const Coordinates* place = s.coordinates.find(i)) s.tables->coordinates.add(host, *place);
    s.tables->zone_of_hosts.append(host, ZoneId{s.tree->index(zone.point) - 1});
    if (zone.medium && zone.access_point != point) s.tables->wifi_links.add(host, *zone.medium);
  }
  s.tables->name = std::move(name);
  s.tables->routers = std::move(s.routers);
  s.tables->index_hosts();
  return Platform(std::move(s.tables), std::move(s.tree));
}

}  // namespace rehearse
