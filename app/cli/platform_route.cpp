// SPDX-License-Identifier: MIT
//
// rehearse platform route: the links between two hosts, with their properties.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <limits>

#include "app/cli/message.hpp"
#include "app/cli/platform_commands.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/quantity.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

const char* sharing_of(LinkSharing sharing) {
  switch (sharing) {
    case LinkSharing::shared: return "shared";
    case LinkSharing::fatpipe: return "fatpipe";
    case LinkSharing::wifi: return "wifi";
  }
  return "";
}

void print(const Platform& platform, const Route& route) {
  std::size_t width = 4;
  double bandwidth = std::numeric_limits<double>::infinity();
  for (const LinkId id : route.links) width = std::max(width, platform.link(id).name.size());
  for (const LinkId id : route.links) {
    const Link& link = platform.link(id);
    bandwidth = std::min(bandwidth, link.bytes_per_second);
    std::cout << std::left << std::setw(static_cast<int>(width)) << link.name << "  " << std::setw(14)
              << as_bandwidth(link.bytes_per_second) << ' ' << std::setw(12) << as_latency(link.latency_seconds) << ' '
              << sharing_of(link.sharing) << '\n';
  }
  std::cout << "latency " << as_latency(route.latency_seconds);
  if (!route.links.empty()) std::cout << ", bandwidth " << as_bandwidth(bandwidth);
  std::cout << '\n';
}

app::Json route_json(const Platform& platform, const Route& route) {
  app::Json links = app::Json::array();
  for (const LinkId id : route.links) {
    const Link& link = platform.link(id);
    links.push_back({{"name", link.name},
                     {"bandwidth", link.bytes_per_second},
                     {"latency", link.latency_seconds},
                     {"sharing", sharing_of(link.sharing)}});
  }
  return {{"latency", route.latency_seconds}, {"links", std::move(links)}};
}

}  // namespace

int run_platform_route(const Arguments& arguments) {
  std::string file, source, destination, json, compat;
  bool quiet = false;
  Options parser("platform route", "PLATFORM SOURCE DESTINATION [options]",
                 "Prints the links between two hosts in order, with bandwidth, latency and sharing, then the sum of\n"
                 "the latencies and the lowest bandwidth. Exits with status 2 if there is no route.",
                 "rehearse platform route cluster:4 node-0 node-3");
  parser.app()
      .add_option("PLATFORM", file, "platform: a built-in one (rehearse list platforms) or an XML file")
      ->required();
  parser.app().add_option("SOURCE", source, "host that sends")->required();
  parser.app().add_option("DESTINATION", destination, "host that receives")->required();
  parser.app()
      .add_option("--compat", compat,
                  "simgrid: compute routes as SimGrid does where it differs from its "
                  "documentation")
      ->check(one_of({"simgrid"}));
  parser.app().add_option("--json", json, "file to write the route to, as JSON (-: standard output)");
  parser.app().add_flag("--quiet", quiet, "print no text");
  if (const auto status = parser.parse(arguments)) return *status;
  auto platform = make_platform(file, compat.empty() ? RoutesOf::the_documentation : RoutesOf::the_program);
  if (!platform) return report_error(platform.error());
  const Platform& machine = platform.value();
  const auto from = machine.find_host(source), to = machine.find_host(destination);
  for (const auto& [host, name] : {std::pair(from, source), std::pair(to, destination)}) {
    if (!host) {
      return report_error({fmt::format("platform route: '{}' is not a host of {} ({} hosts, the first: '{}')", name,
                                       file, machine.hosts().size(), machine.hosts().front().name)});
    }
  }
  const auto route = machine.find_route(*from, *to);
  if (!route)
    return report_error({"platform route: no route from '" + source + "' to '" + destination + "' on " + file});
  if (!quiet && json != "-") print(machine, *route);
  if (json.empty()) return app::exit_good;
  const Result<void> written = write_json(json, route_json(machine, *route));
  return written ? app::exit_good : report_error({"platform route: --json: " + written.error().text});
}

}  // namespace rehearse::cli
