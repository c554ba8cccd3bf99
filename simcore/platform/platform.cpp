// SPDX-License-Identifier: MIT
//
// Platforms as values, and the choice between built-in ones and files.
#include "simcore/platform.hpp"

#include "simcore/platform/built_in.hpp"
#include "simcore/platform/tables.hpp"
#include "simcore/platform/xml_platform.hpp"
#include "simcore/platform_wiring.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {

void PlatformTables::index_hosts() {
  const auto host_name = [this](std::uint32_t i) -> std::string_view { return hosts[i].name; };
  host_names.reserve(hosts.size(), host_name);
  for (std::uint32_t i = 0; i < hosts.size(); ++i) host_names.add(hosts[i].name, i, host_name);
}

Platform::Platform(std::unique_ptr<const PlatformTables> tables, std::unique_ptr<const Routing> routing)
    : tables_(std::move(tables)),
      routing_(std::move(routing)),
      hosts_(tables_->hosts),
      links_(tables_->links),
      disks_(tables_->disks) {
  REHEARSE_ASSERT(!hosts_.empty(), "a platform has at least one host");
}

Platform::Platform(Platform&&) noexcept = default;
Platform& Platform::operator=(Platform&&) noexcept = default;
Platform::~Platform() = default;

const std::string& Platform::name() const { return tables_->name; }
std::span<const Zone> Platform::zones() const { return tables_->zones; }
std::span<const DeployedActor> Platform::actors() const { return tables_->actors; }
const PlatformSettings& Platform::settings() const { return tables_->settings; }

ZoneId Platform::zone_of(HostId id) const {
  const ZoneId* zone = tables_->zone_of_hosts.find(id.value);
  REHEARSE_ASSERT(zone != nullptr, "each host lies in a zone");
  return *zone;
}

std::optional<HostId> Platform::find_host(std::string_view name) const {
  const auto found =
      tables_->host_names.find(name, [this](std::uint32_t i) -> std::string_view { return hosts_[i].name; });
  return found ? std::optional(HostId{*found}) : std::nullopt;
}

std::optional<LinkId> Platform::find_link(std::string_view name) const {
  const auto found =
      tables_->link_names.find(name, [this](std::uint32_t i) -> std::string_view { return links_[i].name; });
  return found ? std::optional(LinkId{*found}) : std::nullopt;
}

std::vector<DiskId> Platform::disks_of(HostId host) const {
  const std::vector<DiskId>* disks = tables_->disks_of.find(host.value);
  return disks == nullptr ? std::vector<DiskId>() : *disks;
}

std::optional<DiskId> Platform::find_disk(HostId host, std::string_view name) const {
  if (const std::vector<DiskId>* disks = tables_->disks_of.find(host.value))
    for (const DiskId disk : *disks)
      if (disks_[disk.value].name == name) return disk;
  return std::nullopt;
}

std::optional<Route> Platform::find_route(HostId source, HostId destination) const {
  Route route;
  if (!find_route(source, destination, route)) return std::nullopt;
  return route;
}

PlatformWiring Platform::wiring(std::size_t points_max) const {
  PlatformWiring wiring;
  routing_->describe(wiring, points_max);
  for (WiringNode& node : wiring.nodes) {
    using Kind = WiringNode::Kind;
    if (node.kind == Kind::host) node.name = hosts_[node.index].name;
    if (node.kind == Kind::router) node.name = tables_->routers[node.index];
    if (node.kind == Kind::zone) node.name = tables_->zones[node.index].name;
    if (node.kind == Kind::centre && node.index > 0) node.name = links_[node.index - 1].name;
  }
  return wiring;
}

PlatformWiring wiring_of(const Platform& platform, std::size_t points_max) { return platform.wiring(points_max); }

bool Platform::find_route(HostId source, HostId destination, Route& route) const {
  route.links.clear();
  route.latency_seconds = 0;
  if (!routing_->append_route(source, destination, route)) return false;
  const double distance = route.latency_seconds;
  route.latency_seconds = 0;
  for (const LinkId id : route.links) route.latency_seconds += link(id).latency_seconds;
  route.latency_seconds += distance;
  return true;
}

std::span<const double> Platform::speeds(HostId id) const {
  if (const HostSpeeds* speeds = tables_->speeds.find(id.value)) return speeds->by_pstate;
  return {&hosts_[id.value].flops_per_second, 1};
}

std::uint32_t Platform::initial_pstate(HostId id) const {
  const HostSpeeds* speeds = tables_->speeds.find(id.value);
  return speeds == nullptr ? 0 : speeds->initial;
}

std::span<const double> Platform::wifi_rates(LinkId id) const {
  const std::vector<double>* rates = tables_->wifi_rates.find(id.value);
  return rates == nullptr ? std::span<const double>() : *rates;
}

std::optional<LinkId> Platform::wifi_link(HostId id) const {
  const LinkId* link = tables_->wifi_links.find(id.value);
  return link == nullptr ? std::nullopt : std::optional(*link);
}

std::uint32_t Platform::concurrency_limit(LinkId id) const {
  const std::uint32_t* limit = tables_->concurrency_limits.find(id.value);
  return limit == nullptr ? 0 : *limit;
}

const Coordinates* Platform::coordinates(HostId id) const { return tables_->coordinates.find(id.value); }

const Properties* Platform::properties(HostId id) const { return tables_->host_properties.find(id.value); }
const Properties* Platform::properties(LinkId id) const { return tables_->link_properties.find(id.value); }
const Properties* Platform::properties(DiskId id) const { return tables_->disk_properties.find(id.value); }
const Properties* Platform::properties(ZoneId id) const { return tables_->zone_properties.find(id.value); }

namespace {

const Profile* find_profile(const platform::SideTable<SharedProfile>& table, std::uint32_t number) {
  const SharedProfile* profile = table.find(number);
  return profile == nullptr ? nullptr : profile->get();
}

}  // namespace

const Profile* Platform::speed_profile(HostId id) const { return find_profile(tables_->host_speed_profiles, id.value); }
const Profile* Platform::state_profile(HostId id) const { return find_profile(tables_->host_state_profiles, id.value); }
const Profile* Platform::bandwidth_profile(LinkId id) const {
  return find_profile(tables_->bandwidth_profiles, id.value);
}
const Profile* Platform::latency_profile(LinkId id) const { return find_profile(tables_->latency_profiles, id.value); }
const Profile* Platform::state_profile(LinkId id) const { return find_profile(tables_->link_state_profiles, id.value); }

Result<Platform> make_platform(const std::string& name_or_file, RoutesOf routes) {
  if (platform::is_built_in(name_or_file)) return platform::make_built_in(name_or_file);
  return platform::load_xml(name_or_file, routes);
}

}  // namespace rehearse
