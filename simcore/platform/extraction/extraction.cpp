// SPDX-License-Identifier: MIT
//
// Writes the extracted platform, loads it, and compares it with the whole one. Zones of clusters and stars are tried
// first.
#include <algorithm>
#include <set>

#include "simcore/platform/built_in.hpp"
#include "simcore/platform/extraction/comparison.hpp"
#include "simcore/platform/extraction/coordinate_zone.hpp"
#include "simcore/platform/extraction/resource_text.hpp"
#include "simcore/platform/extraction/route_plan.hpp"
#include "simcore/platform/extraction/route_text.hpp"
#include "simcore/platform/generator/number_text.hpp"
#include "simcore/platform_extraction.hpp"
#include "simcore/platform_text.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

namespace {

using platform::HostGroup;
using platform::ResourceText;
using platform::RouteBetweenGroups;
using platform::RoutePlan;
using platform::RouteText;
using platform::xml_text;

// From the most compact one on.
enum class Form { coordinates, zones, routes };

// What the format cannot express, or what is not supported.
std::optional<Error> fault_of_hosts(const Platform& platform, std::span<const HostId> hosts) {
  for (const HostId host : hosts) {
    const std::string& name = platform.host(host).name;
    if (platform.wifi_link(host))
      return Error{"host '" + name + "' is in a wifi zone, which is not supported; accepted: other hosts"};
    for (const DiskId disk : platform.disks_of(host))
      if (platform.disk(disk).total_bytes_per_second !=
          std::max(platform.disk(disk).read_bytes_per_second, platform.disk(disk).write_bytes_per_second))
        return Error{"a disk of host '" + name +
                     "' has a bandwidth of reads and writes together, which a file cannot "
                     "express"};
  }
  return std::nullopt;
}

// The same of explicit routes.
std::optional<Error> fault_of_routes(const Platform& platform, std::span<const HostId> hosts) {
  Route route;
  for (const HostId from : hosts)
    for (const HostId to : hosts) {
      if (!platform.find_route(from, to, route)) continue;
      const std::string ends = "from '" + platform.host(from).name + "' to '" + platform.host(to).name + "'";
      double seconds = 0;
      for (const LinkId link : route.links) {
        seconds += platform.link(link).latency_seconds;
        if (platform.link(link).sharing == LinkSharing::wifi)
          return Error{"the route " + ends + " has the wifi link '" + platform.link(link).name +
                       "', which is not supported"};
        if (platform.concurrency_limit(link) > 0)
          return Error{"link '" + platform.link(link).name + "' has a limit of flows, which a file cannot express"};
      }
      if (seconds != route.latency_seconds)
        return Error{"the route " + ends +
                     " has a latency between coordinates; accepted: hosts of one zone with "
                     "coordinates (Vivaldi) that are peers, or have no links of their own"};
    }
  return std::nullopt;
}

class Extraction {
 public:
  Extraction(const std::string& config, const Platform& platform, std::span<const HostId> hosts, Form form)
      : config_(config), platform_(platform), hosts_(hosts), form_(form), plan_(platform, hosts, form == Form::zones) {}

  bool has_zones() const { return plan_.zones() > 0; }

  // Nothing: the platform does not have this form.
  std::optional<Result<ExtractedPlatform>> write() {
    if (form_ == Form::coordinates) return write_coordinates();
    if (form_ == Form::zones && !has_zones()) return std::nullopt;
    if (!measure()) {
      if (crossings_ <= extracted_crossings_max) return std::nullopt;
      return Error{fmt::format("{} hosts with more than {} links on their explicit routes; accepted: fewer hosts, or "
                               "hosts of clusters and stars",
                               hosts_.size(), extracted_crossings_max)};
    }
    const ResourceText resources(platform_, std::vector<LinkId>(links_.begin(), links_.end()));
    const bool is_cluster = plan_.groups().size() == 1 && plan_.groups().front().cluster;
    const std::string inside = is_cluster ? "  " + plan_.groups().front().cluster->text(platform_) + "\n"
                                          : zone_text(resources);
    return ExtractedPlatform{document(inside, resources), plan_.zones(), routes_};
  }

 private:
  std::optional<Result<ExtractedPlatform>> write_coordinates() {
    for (const HostId host : hosts_)
      if (const auto route = platform_.find_route(host, host)) links_.insert(route->links.begin(), route->links.end());
    const ResourceText resources(platform_, std::vector<LinkId>(links_.begin(), links_.end()));
    const auto inside = platform::coordinate_zone_text(platform_, hosts_, resources);
    if (!inside) return std::nullopt;
    return ExtractedPlatform{document(*inside, resources), 1, 0};
  }

  std::string document(const std::string& inside, const ResourceText& resources) const {
    return "<?xml version=\"1.0\"?>\n"
           "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\">\n" +
           config_ + inside + resources.traces(hosts_) + actors_text() + "</platform>\n";
  }

  // Collects the links of explicit routes.
  bool measure() {
    const bool fits = plan_.for_each_route([&](const RouteBetweenGroups& way) {
      links_.insert(way.links.begin(), way.links.end());
      crossings_ += way.links.size();
      return crossings_ <= extracted_crossings_max;
    });
    for (const HostGroup& group : plan_.groups()) {
      if (!group.star) continue;
      group.star->add_links(links_);
      if (group.star->backbone) links_.erase(*group.star->backbone);  // described by the zone
    }
    return fits;
  }

  // Of zones that contain single hosts, by group. None: no group is a zone, so that hosts lie in one zone.
  std::vector<std::string> zone_names() const {
    std::vector<std::string> names;
    if (!has_zones()) return names;
    for (const HostGroup& group : plan_.groups())
      names.push_back(group.is_zone() ? "" : new_name("zone-" + platform_.host(group.host).name));
    return names;
  }

  std::string new_name(std::string name) const {
    while (platform_.find_host(name) ||
           std::ranges::any_of(platform_.zones(), [&](const Zone& zone) { return zone.name == name; }))
      name += "_";
    return name;
  }

  std::string zone_text(const ResourceText& resources) {
    const std::vector<std::string> zones = zone_names();
    const RouteText routes(platform_, plan_, resources, zones);
    routes_ = routes.count();
    std::string text = "  <zone id=\"" + xml_text(new_name("extract")) + "\" routing=\"Full\">\n" + resources.links();
    std::string own_routes;
    for (std::size_t i = 0; i < plan_.groups().size(); ++i) {
      const HostGroup& group = plan_.groups()[i];
      if (group.cluster) text += "    " + group.cluster->text(platform_) + "\n";
      else if (group.star) text += "    " + group.star->text(platform_, resources) + "\n";
      else if (zones.empty()) text += "    " + resources.host(group.host) + "\n";
      else
        text += "    <zone id=\"" + xml_text(zones[i]) + "\" routing=\"Full\">\n    " + resources.host(group.host) +
                "\n" + routes.own(i) + "    </zone>\n";
      if (zones.empty()) own_routes += routes.own(i);
    }
    return text + own_routes + routes.between() + "  </zone>\n";
  }

  std::string actors_text() const {
    std::string text;
    for (const DeployedActor& actor : platform_.actors()) {
      if (!std::ranges::binary_search(hosts_, actor.host)) continue;
      text += fmt::format("  <actor host=\"{}\" function=\"{}\"", xml_text(platform_.host(actor.host).name),
                          xml_text(actor.function));
      if (actor.start_seconds > 0) text += " start_time=\"" + platform::number_text(actor.start_seconds) + "\"";
      if (actor.kill_seconds) text += " kill_time=\"" + platform::number_text(*actor.kill_seconds) + "\"";
      text += actor.is_restarted ? " on_failure=\"RESTART\">" : ">";
      for (const std::string& argument : actor.arguments) text += "<argument value=\"" + xml_text(argument) + "\"/>";
      text += platform::properties_text(&actor.properties) + "</actor>\n";
    }
    return text;
  }

  const std::string& config_;
  const Platform& platform_;
  std::span<const HostId> hosts_;
  Form form_;
  RoutePlan plan_;
  std::set<LinkId> links_;
  std::size_t crossings_ = 0, routes_ = 0;
};

// Nothing: in this form, the result is not the same.
std::optional<Result<ExtractedPlatform>> try_to_extract(const std::string& config, const Platform& platform,
                                                        std::span<const HostId> hosts, Form form) {
  auto written = Extraction(config, platform, hosts, form).write();
  if (!written || !*written) return written;
  const auto loaded = platform_from_text("extracted platform", written->value().text);
  const auto difference = loaded ? platform::first_difference(platform, hosts, loaded.value())
                                 : std::optional(loaded.error().text);
  if (!difference) return written;
  if (form != Form::routes) return std::nullopt;
  return Error{"what a file with explicit routes cannot express: " + *difference};
}

}  // namespace

Result<ExtractedPlatform> extract_platform(const std::string& name, const Platform& platform,
                                           std::span<const HostId> hosts) {
  if (hosts.empty() || hosts.size() > extracted_hosts_max)
    return Error{fmt::format("{} hosts selected; accepted: 1 to {}", hosts.size(), extracted_hosts_max)};
  if (!platform.settings().preset.empty())
    return Error{"the settings of network '" + platform.settings().preset +
                 "' are part of the program and cannot be written; accepted: the platform without @" +
                 platform.settings().preset};
  std::string config;
  if (!platform::is_built_in(name)) {
    auto read = config_text(name);
    if (!read) return read.error();
    config = std::move(read.value());
  }
  if (const auto fault = fault_of_hosts(platform, hosts)) return *fault;
  if (auto made = try_to_extract(config, platform, hosts, Form::coordinates)) return std::move(*made);
  if (const auto fault = fault_of_routes(platform, hosts)) return *fault;
  if (auto made = try_to_extract(config, platform, hosts, Form::zones)) return std::move(*made);
  auto made = try_to_extract(config, platform, hosts, Form::routes);
  REHEARSE_ASSERT(made.has_value(), "explicit routes always fit");
  return std::move(*made);
}

}  // namespace rehearse
