// SPDX-License-Identifier: MIT
//
// Recognizes and writes stars.
#include "simcore/platform/extraction/star_zone.hpp"

#include <algorithm>

#include "simcore/platform/extraction/resource_text.hpp"
#include "simcore/platform/generator/number_text.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

// Up, backbone and down, each link once.
std::vector<LinkId> star_route(const StarZone& star, const StarZone::Leg& from, const StarZone::Leg& to) {
  std::vector<LinkId> links{from.up};
  if (star.backbone) links.push_back(*star.backbone);
  if (std::ranges::find(links, to.down) == links.end()) links.push_back(to.down);
  return links;
}

bool has_route(const Platform& platform, HostId from, HostId to, const std::vector<LinkId>& links) {
  const auto route = platform.find_route(from, to);
  return route && route->links == links;
}

}  // namespace

std::vector<LinkId> StarZone::way_out(std::size_t leg) const {
  std::vector<LinkId> links{legs[leg].up};
  if (backbone) links.push_back(*backbone);
  return links;
}

std::vector<LinkId> StarZone::way_in(std::size_t leg) const {
  std::vector<LinkId> links;
  if (backbone) links.push_back(*backbone);
  links.push_back(legs[leg].down);
  return links;
}

void StarZone::add_links(std::set<LinkId>& links) const {
  for (const Leg& leg : legs) links.insert({leg.up, leg.down});
}

std::string StarZone::text(const Platform& platform, const ResourceText& resources) const {
  std::string text = "<zone id=\"" + xml_text(name) + "\" routing=\"Cluster\">\n";
  for (const Leg& leg : legs)
    text += fmt::format("      {}\n      <host_link id=\"{}\" up=\"{}\" down=\"{}\"/>\n", resources.host(leg.host),
                        xml_text(platform.host(leg.host).name), xml_text(platform.link(leg.up).name),
                        xml_text(platform.link(leg.down).name));
  if (backbone) {
    const Link& link = platform.link(*backbone);
    text += fmt::format("      <backbone id=\"{}\" bandwidth=\"{}Bps\" latency=\"{}s\">{}</backbone>\n",
                        xml_text(link.name), number_text(link.bytes_per_second), number_text(link.latency_seconds),
                        properties_text(platform.properties(*backbone)));
  }
  return text + "      <router id=\"" + xml_text(router) + "\"/>\n    </zone>";
}

std::optional<StarZone> find_star_zone(const Platform& platform, std::span<const HostId> hosts) {
  const Zone& zone = platform.zones()[platform.zone_of(hosts.front()).value];
  const auto sample = platform.find_route(hosts[0], hosts[1]);
  if (zone.routing != ZoneRouting::star || !sample || sample->links.size() < 2 || sample->links.size() > 3)
    return std::nullopt;
  StarZone star;
  star.name = zone.name;
  star.router = zone.name + "_router";
  if (sample->links.size() == 3) star.backbone = sample->links[1];
  // The format has only shared backbones, and profiles of links that <link> describes.
  if (star.backbone &&
      (platform.link(*star.backbone).sharing != LinkSharing::shared ||
       platform.bandwidth_profile(*star.backbone) != nullptr || platform.latency_profile(*star.backbone) != nullptr ||
       platform.state_profile(*star.backbone) != nullptr))
    return std::nullopt;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const HostId other = hosts[i == 0 ? 1 : 0];
    const auto out = platform.find_route(hosts[i], other), in = platform.find_route(other, hosts[i]);
    if (!out || !in || out->links.empty() || in->links.empty()) return std::nullopt;
    star.legs.push_back({hosts[i], out->links.front(), in->links.back()});
  }
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const std::size_t other = i == 0 ? 1 : 0;
    if (!has_route(platform, hosts[i], hosts[other], star_route(star, star.legs[i], star.legs[other])) ||
        !has_route(platform, hosts[i], hosts[i], star_route(star, star.legs[i], star.legs[i])))
      return std::nullopt;
  }
  return star;
}

}  // namespace rehearse::platform
