// SPDX-License-Identifier: MIT
//
// Writes zones of coordinates.
#include "simcore/platform/extraction/coordinate_zone.hpp"

#include "simcore/platform/extraction/resource_text.hpp"
#include "simcore/platform/generator/number_text.hpp"
#include "simcore/platform_builder.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

// <peer> has these links, and neither cores nor disks.
std::optional<std::string> peer_text(const Platform& platform, HostId id, const std::string& place) {
  const Host& host = platform.host(id);
  const auto up = platform.find_link("link_" + host.name + "_UP"),
             down = platform.find_link("link_" + host.name + "_DOWN");
  if (!up || !down || host.cores != 1 || !platform.disks_of(id).empty() || platform.speeds(id).size() > 1)
    return std::nullopt;
  return fmt::format("<peer id=\"{}\" speed=\"{}f\" bw_in=\"{}Bps\" bw_out=\"{}Bps\" lat=\"0s\" {}>{}</peer>",
                     xml_text(host.name), number_text(host.flops_per_second),
                     number_text(platform.link(*down).bytes_per_second),
                     number_text(platform.link(*up).bytes_per_second), place, properties_text(platform.properties(id)));
}

}  // namespace

std::optional<std::string> coordinate_zone_text(const Platform& platform, std::span<const HostId> hosts,
                                                const ResourceText& resources) {
  const ZoneId zone = platform.zone_of(hosts.front());
  if (platform.zones()[zone.value].routing != ZoneRouting::vivaldi) return std::nullopt;
  std::string text =
      fmt::format("  <zone id=\"{}\" routing=\"Vivaldi\">\n", xml_text(platform.zones()[zone.value].name));
  for (const HostId host : hosts) {
    const Coordinates* at = platform.coordinates(host);
    const auto own = platform.find_route(host, host);
    if (platform.zone_of(host) != zone || at == nullptr || !own) return std::nullopt;
    const std::string place =
        fmt::format("coordinates=\"{} {} {}\"", number_text(at->x), number_text(at->y), number_text(at->z));
    const auto element = own->links.empty() ? std::optional(resources.host(host, place))
                                            : peer_text(platform, host, place);
    if (!element) return std::nullopt;
    text += "    " + *element + "\n";
  }
  return text + "  </zone>\n";
}

}  // namespace rehearse::platform
