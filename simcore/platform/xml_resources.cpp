// SPDX-License-Identifier: MIT
//
// Platform files: hosts, disks, links, clusters.
#include <algorithm>
#include <charconv>

#include "simcore/platform/units.hpp"
#include "simcore/platform/xml_loader.hpp"

namespace rehearse::platform {

void XmlLoader::read_host_profiles(const Element& element, PointId host) {
  if (element.has("speed_file") && element.has("availability_file"))
    return element.refuse("availability_file is the old name of speed_file; accepted: one of them");
  for (const char* name : {"speed_file", "availability_file"})
    if (const SharedProfile profile = read_profile_file(element, name)) builder_.set_speed_profile(host, profile);
  if (const SharedProfile profile = read_profile_file(element, "state_file")) builder_.set_state_profile(host, profile);
  accept(element);
}

void XmlLoader::read_host(const Element& element, PointId zone) {
  element.check_attributes(
      {"id", "speed", "core", "pstate", "speed_file", "state_file", "availability_file", "coordinates"});
  HostDescription host;
  host.name = element.required("id");
  host.speeds = read_speeds(element);
  host.cores = element.number("core", 1);
  host.initial_pstate = element.number("pstate", 0);
  host.coordinates = read_coordinates(element);
  std::vector<Element> disks;
  for (const Element& inner : element.children()) {
    if (failed()) return;
    if (inner.tag() == "prop") read_prop(inner, host.properties);
    else if (inner.tag() == "disk") disks.push_back(inner);
    else if (inner.tag() != "model_prop")
      inner.refuse("<" + std::string(inner.tag()) + "> inside <host> is not supported; accepted: disk, prop");
  }
  if (failed()) return;
  const PointId id = builder_.add_host(zone, host);
  accept(element);
  if (!failed()) read_host_profiles(element, id);
  for (const Element& disk : disks) {
    if (failed()) return;
    read_disk(disk, id);
  }
}

void XmlLoader::read_disk(const Element& element, PointId host) {
  element.check_attributes({"id", "read_bw", "write_bw"});
  DiskDescription disk;
  disk.name = element.optional("id", "/");
  disk.read_bytes_per_second = element.bytes_per_second("read_bw");
  disk.write_bytes_per_second = element.bytes_per_second("write_bw");
  disk.properties = read_props(element);
  if (failed()) return;
  builder_.add_disk(host, disk);
  accept(element);
}

void XmlLoader::read_router(const Element& element, PointId zone) {
  element.check_attributes({"id", "coordinates"});
  const std::optional<Coordinates> coordinates = read_coordinates(element);
  if (failed()) return;
  builder_.add_router(zone, element.required("id"), coordinates);
  accept(element);
}

void XmlLoader::read_peer(const Element& element, PointId zone) {
  // The latency between peers is the distance of their coordinates; `lat` is ignored.
  element.check_attributes(
      {"id", "speed", "bw_in", "bw_out", "lat", "coordinates", "speed_file", "availability_file", "state_file"});
  PeerDescription peer;
  peer.host.name = element.required("id");
  peer.host.speeds = read_speeds(element);
  peer.host.coordinates = read_coordinates(element);
  peer.in_bytes_per_second = element.bytes_per_second("bw_in");
  peer.out_bytes_per_second = element.bytes_per_second("bw_out");
  (void)element.seconds("lat", "0");
  peer.host.properties = read_props(element);
  if (failed()) return;
  const PointId id = builder_.add_peer(zone, peer);
  accept(element);
  if (!failed()) read_host_profiles(element, id);
}

void XmlLoader::read_link(const Element& element, PointId zone) {
  static constexpr LinkPolicy policies[] = {LinkPolicy::shared, LinkPolicy::fatpipe, LinkPolicy::split_duplex,
                                            LinkPolicy::split_duplex, LinkPolicy::wifi};
  element.check_attributes(
      {"id", "bandwidth", "latency", "sharing_policy", "bandwidth_file", "latency_file", "state_file"});
  LinkDescription link;
  link.name = element.required("id");
  link.policy =
      policies[element.choice("sharing_policy", {"SHARED", "FATPIPE", "SPLITDUPLEX", "FULLDUPLEX", "WIFI"}, "SHARED")];
  if (link.policy == LinkPolicy::wifi) link.wifi_rates = element.rates("bandwidth");
  else link.bytes_per_second = element.bytes_per_second("bandwidth");
  link.latency_seconds = element.seconds("latency", "0");
  link.properties = read_props(element);
  if (failed()) return;
  const LinkHandle handle = builder_.add_link(link);
  accept(element);
  if (link.policy == LinkPolicy::wifi && builder_.routing_of(zone) == ZoneRouting::wifi)
    wifi_links_.emplace(zone, handle.up);
  if (const SharedProfile profile = read_profile_file(element, "bandwidth_file"))
    builder_.set_bandwidth_profile(handle, profile);
  if (const SharedProfile profile = read_profile_file(element, "latency_file"))
    builder_.set_latency_profile(handle, profile);
  if (const SharedProfile profile = read_profile_file(element, "state_file"))
    builder_.set_state_profile(handle, profile);
  accept(element);
}

namespace {

// A list of numbers. Empty, with a mistake, if the text is not one.
std::vector<std::uint32_t> numbers_of(const Element& element, std::string_view text) {
  std::vector<std::uint32_t> numbers;
  for (const std::string_view part : split(text, ",")) {
    std::uint32_t value = 0;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (code != std::errc() || end != part.data() + part.size()) {
      element.refuse("topo_parameters: '" + std::string(part) + "' is not a whole number");
      return {};
    }
    numbers.push_back(value);
  }
  return numbers;
}

void read_fat_tree(const Element& element, const std::string& text, ClusterDescription& cluster) {
  const std::vector<std::string_view> parts = split(text, ";");
  if (parts.size() != 4)
    return element.refuse("topo_parameters=\"" + text +
                          "\" of a fat tree; accepted: LEVELS;DOWN,...;UP,...;CABLES,... such as "
                          "2;4,4;1,2;1,2");
  const std::vector<std::uint32_t> levels = numbers_of(element, parts[0]);
  FatTree tree{numbers_of(element, parts[1]), numbers_of(element, parts[2]), numbers_of(element, parts[3])};
  if (levels.size() != 1 || tree.down.size() != levels[0] || tree.up.size() != levels[0] ||
      tree.ports.size() != levels[0])
    return element.refuse("topo_parameters=\"" + text +
                          "\": the lists of a fat tree have a number for each of its levels");
  cluster.topology = std::move(tree);
}

void read_dragonfly(const Element& element, const std::string& text, RoutesOf routes, ClusterDescription& cluster) {
  std::vector<std::vector<std::uint32_t>> numbers;
  for (const std::string_view part : split(text, ";")) numbers.push_back(numbers_of(element, part));
  if (numbers.size() != 4 || numbers[0].size() != 2 || numbers[1].size() != 2 || numbers[2].size() != 2 ||
      numbers[3].size() != 1)
    return element.refuse("topo_parameters=\"" + text +
                          "\" of a dragonfly; accepted: GROUPS,CABLES;CHASSIS,CABLES;BLADES,CABLES;"
                          "NODES such as 3,4;4,3;5,1;2");
  cluster.topology = Dragonfly{numbers[0][0], numbers[0][1], numbers[1][0], numbers[1][1],
                               numbers[2][0], numbers[2][1], numbers[3][0], routes};
}

// The description of an optional link. A value of 0 means no link, as without the attribute.
std::optional<LinkDescription> optional_link(const Element& element, const char* bandwidth, const char* latency,
                                             LinkPolicy policy) {
  const double rate = element.rate_or_nothing(bandwidth);
  const double seconds = latency == nullptr ? 0 : element.seconds(latency, "0");
  if (rate > 0) return LinkDescription{"", rate, seconds, policy};
  if (seconds > 0) element.refuse("attribute '" + std::string(latency) + "' needs '" + bandwidth + "' with it");
  return std::nullopt;
}

}  // namespace

void XmlLoader::read_topology(const Element& element, ClusterDescription& cluster) {
  const std::size_t kind = element.choice("topology", {"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"}, "FLAT");
  const std::string text = element.optional("topo_parameters", "");
  if (kind == 0 && !text.empty())
    element.refuse("topo_parameters need a topology; accepted: TORUS, FAT_TREE, DRAGONFLY");
  if (failed() || kind == 0) return;
  (void)element.required("topo_parameters");
  if (kind == 1) cluster.topology = Torus{numbers_of(element, text)};
  else if (kind == 2) read_fat_tree(element, text, cluster);
  else read_dragonfly(element, text, routes_, cluster);
}

void XmlLoader::read_cluster(const Element& element, PointId parent) {
  static constexpr LinkPolicy policies[] = {LinkPolicy::split_duplex, LinkPolicy::split_duplex, LinkPolicy::shared,
                                            LinkPolicy::fatpipe};
  element.check_attributes({"id", "prefix", "suffix", "radical", "speed", "core", "pstate", "bw", "lat",
                            "sharing_policy", "topology", "topo_parameters", "bb_bw", "bb_lat", "bb_sharing_policy",
                            "router_id", "limiter_link", "loopback_bw", "loopback_lat"});
  ClusterDescription cluster;
  cluster.name = element.required("id");
  cluster.prefix = element.required("prefix");
  cluster.suffix = element.required("suffix");
  cluster.speeds = read_speeds(element);
  cluster.cores = element.number("core", 1);
  cluster.initial_pstate = element.number("pstate", 0);
  cluster.router = element.optional("router_id", "");
  cluster.policy =
      policies[element.choice("sharing_policy", {"SPLITDUPLEX", "FULLDUPLEX", "SHARED", "FATPIPE"}, "SPLITDUPLEX")];
  (void)element.required("lat");
  cluster.bytes_per_second = element.bytes_per_second("bw");
  cluster.latency_seconds = element.seconds("lat", "0");
  const std::size_t backbone = element.choice("bb_sharing_policy", {"SHARED", "FATPIPE"}, "SHARED");
  cluster.backbone =
      optional_link(element, "bb_bw", "bb_lat", backbone == 0 ? LinkPolicy::shared : LinkPolicy::fatpipe);
  cluster.loopback = optional_link(element, "loopback_bw", "loopback_lat", LinkPolicy::fatpipe);
  cluster.limiter = optional_link(element, "limiter_link", nullptr, LinkPolicy::shared);
  cluster.properties = read_props(element);
  read_topology(element, cluster);
  if (failed()) return;
  cluster.numbers = read_radical(element, builder_.limits().hosts_max);
  if (failed()) return;
  builder_.add_cluster(parent, cluster);
  accept(element);
}

void XmlLoader::read_cabinet(const Element& element, PointId zone) {
  element.check_attributes({"id", "prefix", "suffix", "radical", "speed", "bw", "lat"});
  ClusterDescription cabinet;
  cabinet.name = element.required("id");
  cabinet.prefix = element.required("prefix");
  cabinet.suffix = element.required("suffix");
  cabinet.speeds = read_speeds(element);
  (void)element.required("lat");
  cabinet.bytes_per_second = element.bytes_per_second("bw");
  cabinet.latency_seconds = element.seconds("lat", "0");
  if (failed()) return;
  cabinet.numbers = read_radical(element, builder_.limits().hosts_max);
  if (failed()) return;
  builder_.add_cabinet(zone, cabinet);
  accept(element);
}

}  // namespace rehearse::platform
