// SPDX-License-Identifier: MIT
//
// See last_mile_platform.hpp.
#include "app/last_mile/last_mile_platform.hpp"

#include <algorithm>

#include "app/calibration/calibrated_platform.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr double flops_of_hosts = 1e10;  // so that computation takes as long as measured

std::string bandwidth_text(const LinkBandwidth& link) {
  return fmt::format("{:.9g}Bps",
                     link.knowledge == Knowledge::not_measured ? unmeasured_bandwidth : link.bytes_per_second);
}

std::string property_line(const char* name, const std::string& value) {
  return fmt::format("      <prop id=\"rehearse/{}\" value=\"{}\"/>\n", name, value);
}

std::string caveats_of(const LastMileParts& parts, std::size_t host) {
  std::string text;
  for (const auto& [name, link] : {std::pair("up", parts.bandwidths.up[host]), {"down", parts.bandwidths.down[host]}})
    if (link.knowledge != Knowledge::value) text += property_line(name, name_of(link.knowledge));
  const HostLatency& latency = parts.latencies[host];
  if (latency.pairs == 0) text += property_line("latency", name_of(Knowledge::not_measured));
  else if (latency.least < latency.most)
    text += property_line("latency", fmt::format("{:.6g} s to {:.6g} s", latency.least, latency.most));
  return text;
}

// No host may have the name of its zone.
std::string zone_name(const std::vector<std::string>& hosts) {
  std::string name = "last-mile";
  while (std::ranges::find(hosts, name) != hosts.end()) name += "-zone";
  return name;
}

}  // namespace

std::string last_mile_platform(const LastMileParts& parts) {
  std::string text = "<?xml version=\"1.0\"?>\n"
                     "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                     "<platform version=\"4.1\">\n"
                     "  <config id=\"General\">\n";
  for (const auto& [key, value] : {std::pair<const char*, std::string>{"network/model", "CM02"},
                                   {"network/TCP-gamma", "0"},
                                   {"network/crosstraffic", "no"}})
    text += fmt::format("    <prop id=\"{}\" value=\"{}\"/>\n", key, xml_attribute(value));
  text +=
      fmt::format("  </config>\n  <zone id=\"{}\" routing=\"Cluster\">\n    <prop id=\"calibrated\" value=\"{}\"/>\n",
                  xml_attribute(zone_name(parts.names)), xml_attribute(parts.about));
  for (std::size_t host = 0; host < parts.names.size(); ++host) {
    const std::string name = xml_attribute(parts.names[host]), caveats = caveats_of(parts, host);
    text += fmt::format("    <host id=\"{}\" speed=\"{:.6g}f\"", name, flops_of_hosts);
    text += caveats.empty() ? "/>\n" : ">\n" + caveats + "    </host>\n";
    for (const auto& [direction, link] :
         {std::pair("up", &parts.bandwidths.up[host]), {"down", &parts.bandwidths.down[host]}})
      text += fmt::format("    <link id=\"{}-{}\" bandwidth=\"{}\" latency=\"{:.9g}s\"/>\n", direction, name,
                          bandwidth_text(*link), parts.latencies[host].seconds);
    text += fmt::format("    <host_link id=\"{0}\" up=\"up-{0}\" down=\"down-{0}\"/>\n", name);
  }
  return text + "  </zone>\n</platform>\n";
}

}  // namespace rehearse::app
