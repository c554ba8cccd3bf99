// SPDX-License-Identifier: MIT
//
// rehearse platform show and validate: the parts of a platform, and the check of its file.
#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <optional>

#include "app/cli/message.hpp"
#include "app/cli/platform_commands.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/platform_dot.hpp"
#include "app/cli/report/quantity.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

std::string_view routing_name(ZoneRouting routing) {
  constexpr std::array<std::string_view, 11> names = {"none",    "full", "floyd", "dijkstra", "dijkstra-cache", "star",
                                                      "vivaldi", "wifi", "torus", "fat-tree", "dragonfly"};
  return names[static_cast<std::size_t>(routing)];
}

std::string_view sharing_name(LinkSharing sharing) {
  constexpr std::array<std::string_view, 3> names = {"shared", "fatpipe", "wifi"};
  return names[static_cast<std::size_t>(sharing)];
}

std::string count_of(std::size_t count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

void print_summary(const Platform& platform) {
  std::uint64_t cores = 0;
  double slowest = platform.hosts().front().flops_per_second, fastest = slowest;
  std::size_t profiles = 0;
  for (std::uint32_t i = 0; i < platform.hosts().size(); ++i) {
    const Host& host = platform.hosts()[i];
    cores += host.cores;
    slowest = std::min(slowest, host.flops_per_second);
    fastest = std::max(fastest, host.flops_per_second);
    profiles += (platform.speed_profile(HostId{i}) != nullptr) + (platform.state_profile(HostId{i}) != nullptr);
  }
  for (std::uint32_t i = 0; i < platform.links().size(); ++i)
    profiles += (platform.bandwidth_profile(LinkId{i}) != nullptr) + (platform.latency_profile(LinkId{i}) != nullptr) +
                (platform.state_profile(LinkId{i}) != nullptr);
  std::cout << platform.name() << ": " << count_of(platform.hosts().size(), "host", "hosts") << ", "
            << count_of(cores, "core", "cores") << " of " << as_speed(slowest);
  if (slowest < fastest) std::cout << " to " << as_speed(fastest);
  std::cout << ", " << count_of(platform.links().size(), "link", "links");
  if (!platform.disks().empty()) std::cout << ", " << count_of(platform.disks().size(), "disk", "disks");
  if (profiles > 0) std::cout << ", " << count_of(profiles, "profile", "profiles");
  if (!platform.actors().empty()) std::cout << ", " << count_of(platform.actors().size(), "actor", "actors");
  std::cout << '\n';
}

void print_zones(const Platform& platform) {
  std::vector<std::size_t> hosts(platform.zones().size(), 0);
  for (std::uint32_t i = 0; i < platform.hosts().size(); ++i) ++hosts[platform.zone_of(HostId{i}).value];
  for (std::size_t i = 0; i < platform.zones().size(); ++i) {
    const Zone& zone = platform.zones()[i];
    std::size_t depth = 1;
    for (auto parent = zone.parent; parent; parent = platform.zones()[parent->value].parent) ++depth;
    std::cout << std::string(2 * depth, ' ') << zone.name << " (" << routing_name(zone.routing) << ")";
    if (hosts[i] > 0) std::cout << ": " << count_of(hosts[i], "host", "hosts");
    std::cout << '\n';
  }
}

void print_hosts(const Platform& platform) {
  for (std::uint32_t i = 0; i < platform.hosts().size(); ++i) {
    const Host& host = platform.hosts()[i];
    std::cout << "host " << host.name << ": " << count_of(host.cores, "core", "cores") << " of "
              << as_speed(host.flops_per_second);
    if (platform.speeds(HostId{i}).size() > 1)
      std::cout << " (speed state " << platform.initial_pstate(HostId{i}) << ')';
    for (const DiskId id : platform.disks_of(HostId{i})) {
      const Disk& disk = platform.disk(id);
      std::cout << ", disk " << disk.name << " reads " << as_bandwidth(disk.read_bytes_per_second) << " writes "
                << as_bandwidth(disk.write_bytes_per_second);
    }
    std::cout << '\n';
  }
}

void print_links(const Platform& platform) {
  for (const Link& link : platform.links())
    std::cout << "link " << link.name << ": " << as_bandwidth(link.bytes_per_second) << ", "
              << as_latency(link.latency_seconds) << ", " << sharing_name(link.sharing) << '\n';
}

app::Json platform_json(const Platform& platform) {
  app::Json zones = app::Json::array(), hosts = app::Json::array(), links = app::Json::array(),
            actors = app::Json::array();
  for (const Zone& zone : platform.zones())
    zones.push_back({{"name", zone.name},
                     {"routing", routing_name(zone.routing)},
                     {"parent", zone.parent ? app::Json(platform.zones()[zone.parent->value].name) : app::Json()}});
  for (std::uint32_t i = 0; i < platform.hosts().size(); ++i) {
    const HostId id{i};
    app::Json disks = app::Json::array();
    for (const DiskId disk : platform.disks_of(id))
      disks.push_back({{"name", platform.disk(disk).name},
                       {"read", platform.disk(disk).read_bytes_per_second},
                       {"write", platform.disk(disk).write_bytes_per_second}});
    const auto speeds = platform.speeds(id);
    hosts.push_back({{"name", platform.host(id).name},
                     {"zone", platform.zones()[platform.zone_of(id).value].name},
                     {"cores", platform.host(id).cores},
                     {"speeds", std::vector<double>(speeds.begin(), speeds.end())},
                     {"pstate", platform.initial_pstate(id)},
                     {"disks", std::move(disks)}});
  }
  for (const Link& link : platform.links())
    links.push_back({{"name", link.name},
                     {"bandwidth", link.bytes_per_second},
                     {"latency", link.latency_seconds},
                     {"sharing", sharing_name(link.sharing)}});
  for (const DeployedActor& actor : platform.actors())
    actors.push_back(
        {{"function", actor.function}, {"host", platform.host(actor.host).name}, {"arguments", actor.arguments}});
  return {{"platform", platform.name()},
          {"zones", std::move(zones)},
          {"hosts", std::move(hosts)},
          {"links", std::move(links)},
          {"actors", std::move(actors)}};
}

struct Unconnected {
  std::size_t pairs = 0;
  std::string first;
};

// Checks all pairs of up to 200 hosts. On larger platforms, where each route may need a search, it checks all pairs of
// some evenly spread hosts.
Unconnected find_unconnected(const Platform& platform) {
  const std::size_t hosts = platform.hosts().size();
  std::size_t some = std::min<std::size_t>(hosts, 200);
  while (some > 10 && some * some * hosts > 40'000'000) --some;
  const auto host = [&](std::size_t i) { return HostId{static_cast<std::uint32_t>(i * hosts / some)}; };
  const auto name = [&](HostId id) { return "'" + platform.host(id).name + "'"; };
  Unconnected found;
  Route route;
  for (std::size_t i = 0; i < some; ++i) {
    for (std::size_t j = 0; j < some; ++j) {
      if (platform.find_route(host(i), host(j), route)) continue;
      if (found.pairs++ == 0) found.first = "from " + name(host(i)) + " to " + name(host(j));
    }
  }
  return found;
}

}  // namespace

int run_platform_show(const Arguments& arguments) {
  std::string file, json, dot;
  std::uint32_t dot_points = 200;
  bool hosts = false, links = false, quiet = false;
  Options parser("platform show", "PLATFORM [options]",
                 "Prints the hosts, cores, links, disks and zones of a platform.",
                 "rehearse platform show cluster:4 --hosts --links");
  parser.app()
      .add_option("PLATFORM", file, "platform: a built-in one (rehearse list platforms) or an XML file")
      ->required();
  parser.app().add_flag("--hosts", hosts, "also show each host, with its disks");
  parser.app().add_flag("--links", links, "also show each link");
  parser.app().add_option("--dot", dot,
                          "file to write the network to as a graph, in the language of Graphviz (-: standard output)");
  parser.app()
      .add_option("--dot-points", dot_points,
                  "a zone with more hosts, routers and zones directly in it is one node of the graph (default 200)")
      ->check(whole_number(1, 10'000));
  parser.app().add_option("--json", json, "file to write everything to, as JSON (-: standard output)");
  parser.app().add_flag("--quiet", quiet, "print no text");
  if (const auto status = parser.parse(arguments)) return *status;
  auto platform = make_platform(file);
  if (!platform) return report_error(platform.error());
  const Platform& machine = platform.value();
  if (!quiet && json != "-" && dot != "-") {
    print_summary(machine);
    print_zones(machine);
    if (hosts) print_hosts(machine);
    if (links) print_links(machine);
  }
  if (!dot.empty()) {
    const Result<void> written = write_text(dot, platform_dot(machine, dot_points));
    if (!written) return report_error({"platform show: --dot: " + written.error().text});
  }
  if (json.empty()) return app::exit_good;
  const Result<void> written = write_json(json, platform_json(machine));
  return written ? app::exit_good : report_error({"platform show: --json: " + written.error().text});
}

int run_platform_validate(const Arguments& arguments) {
  std::string file, json;
  bool quiet = false;
  Options parser("platform validate", "FILE [options]",
                 "Reads a platform file and looks for routes between its hosts. Prints nothing if the file is valid.\n"
                 "A mistake is one line with its place, and exit status 2. Hosts without a route are a warning.",
                 "rehearse platform validate cluster.xml");
  parser.app()
      .add_option("FILE", file, "platform: a built-in one (rehearse list platforms) or an XML file")
      ->required();
  parser.app().add_option("--json", json, "file to write hosts, links and warnings to, as JSON (-: standard output)");
  parser.app().add_flag("--quiet", quiet, "print no warnings");
  if (const auto status = parser.parse(arguments)) return *status;
  auto platform = make_platform(file);
  if (!platform) return report_error(platform.error());
  const Platform& machine = platform.value();
  const Unconnected unconnected = find_unconnected(machine);
  app::Json warnings = app::Json::array();
  if (unconnected.pairs > 0) {
    std::string text = "no route " + unconnected.first;
    if (unconnected.pairs > 1)
      text += ", nor between " + count_of(unconnected.pairs - 1, "other pair", "other pairs") + " of the tested hosts";
    if (!quiet) std::cerr << "rehearse: warning: " << file << ": " << text << '\n';
    warnings.push_back(text);
  }
  if (json.empty()) return app::exit_good;
  const Result<void> written = write_json(json, {{"platform", machine.name()},
                                                 {"hosts", machine.hosts().size()},
                                                 {"links", machine.links().size()},
                                                 {"warnings", warnings}});
  return written ? app::exit_good : report_error({"platform validate: --json: " + written.error().text});
}

}  // namespace rehearse::cli
