// SPDX-License-Identifier: MIT
//
// From a platform to a map.
#include "simcore/use_map.hpp"

#include <optional>

namespace rehearse {
namespace {

constexpr std::size_t mapped_wires_max = 200'000;

double work_in(const std::vector<UseRow>& rows) {
  double sum = 0;
  for (const UseRow& row : rows) sum += row.total();
  return sum;
}

// A link with two directions is two links, whose names say so. Of a star's leg, the wiring has only the first.
std::optional<LinkId> reverse_of(const Platform& platform, LinkId link) {
  constexpr std::string_view up = "_UP";
  const std::string& name = platform.link(link).name;
  if (!name.ends_with(up)) return std::nullopt;
  return platform.find_link(name.substr(0, name.size() - up.size()) + "_DOWN");
}

void add_zones(const Platform& platform, UseMap& map) {
  // Several outermost zones, or none: they are in one that has the name of the platform.
  std::size_t roots = 0;
  for (const Zone& zone : platform.zones()) roots += !zone.parent;
  if (roots != 1) map.zones.push_back({platform.name(), MapZone::none});
  const auto first = static_cast<std::uint32_t>(map.zones.size());
  for (const Zone& zone : platform.zones())
    map.zones.push_back({zone.name, zone.parent ? first + zone.parent->value : roots != 1 ? 0 : MapZone::none});
  for (std::uint32_t i = 0; i < platform.hosts().size(); ++i) {
    const Host& host = platform.hosts()[i];
    const std::uint32_t zone = platform.zones().empty() ? 0 : first + platform.zone_of({i}).value;
    map.hosts.push_back({host.name, zone, host.flops_per_second * host.cores});
  }
}

void add_wires(const Platform& platform, UseMap& map) {
  const PlatformWiring wiring = wiring_of(platform, map_hosts_max);
  const auto first_zone = static_cast<std::uint32_t>(map.zones.size() - platform.zones().size());
  std::vector<std::uint32_t> number(wiring.nodes.size());
  for (std::uint32_t i = 0; i < wiring.nodes.size(); ++i) {
    const WiringNode& node = wiring.nodes[i];
    number[i] = node.index;
    if (node.kind == WiringNode::Kind::host) continue;
    number[i] = static_cast<std::uint32_t>(map.hosts.size() + map.nodes.size());
    map.nodes.push_back({node.name, node.zone ? first_zone + node.zone->value : 0});
  }
  for (const Wire& wire : wiring.wires) {
    if (map.wires.size() == mapped_wires_max) {
      ++map.wires_more;
      continue;
    }
    MapWire& made = map.wires.emplace_back();
    made.from = number[wire.from];
    made.to = number[wire.to];
    for (const LinkId link : wire.links) {
      made.links.push_back(link.value);
      if (const auto back = reverse_of(platform, link)) made.links.push_back(back->value);
    }
  }
}

}  // namespace

double UseMap::host_work() const { return work_in(uses.hosts); }
double UseMap::link_work() const { return work_in(uses.links); }

UseMap map_of(const Platform& platform, UseTable uses) {
  UseMap map;
  map.platform = platform.name();
  add_zones(platform, map);
  for (const Link& link : platform.links()) map.links.push_back({link.name, link.bytes_per_second});
  add_wires(platform, map);
  map.uses = std::move(uses);
  return map;
}

}  // namespace rehearse
