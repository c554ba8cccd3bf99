// SPDX-License-Identifier: MIT
//
// Platforms that need no file. The header explains the numbers.
#include "simcore/platform/built_in.hpp"

#include <charconv>
#include <numeric>

#include "simcore/network_preset.hpp"
#include "simcore/platform/limited_product.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

constexpr double core_flops_per_second = 10e9;
constexpr std::uint32_t cores_per_host = 8;
constexpr std::uint32_t hosts_max = 1'000'000;

LinkDescription loopback() { return {"loopback", 10e9, 0.5e-6, LinkPolicy::fatpipe}; }

Result<Platform> make_laptop() {
  PlatformBuilder builder;
  const PointId zone = builder.add_zone(builder.world(), "world", ZoneRouting::full);
  const PointId host = builder.add_host(zone, {"laptop", {core_flops_per_second}, cores_per_host});
  builder.add_route(zone, {host, host, {{builder.add_link(loopback())}}});
  return builder.finish("laptop");
}

// Of a network without a name.
constexpr double plain_bytes_per_second = 1.25e9;

// `preset`: null, or the network, whose latencies replace the given one.
ClusterDescription cluster_of(std::uint64_t hosts, double latency_seconds, const NetworkPreset* preset) {
  ClusterDescription cluster;
  cluster.name = "cluster";
  cluster.prefix = "node-";
  cluster.numbers.resize(std::min<std::uint64_t>(hosts, hosts_max + 1));
  std::iota(cluster.numbers.begin(), cluster.numbers.end(), 0u);
  cluster.speeds = {core_flops_per_second};
  cluster.cores = cores_per_host;
  cluster.bytes_per_second = preset != nullptr ? preset->bytes_per_second : plain_bytes_per_second;
  cluster.latency_seconds = preset != nullptr ? preset->link_seconds() : latency_seconds;
  cluster.loopback = loopback();
  return cluster;
}

Result<Platform> build(std::string_view name, const ClusterDescription& cluster, const NetworkPreset* preset) {
  PlatformBuilder builder;
  if (preset != nullptr) apply(*preset, builder.settings());
  builder.add_cluster(builder.world(), cluster);
  if (builder.mistake()) return Error{"platform '" + std::string(name.substr(0, 80)) + "': " + builder.mistake()->text};
  return builder.finish(std::string(name));
}

// Whole numbers with these separators; empty if the text is anything else.
std::vector<std::uint32_t> numbers_of(std::string_view text, char separator) {
  std::vector<std::uint32_t> numbers;
  while (true) {
    std::uint32_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || value == 0) return {};
    numbers.push_back(value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return numbers;
    if (text.front() != separator || text.size() == 1) return {};
    text.remove_prefix(1);
  }
}

std::vector<std::vector<std::uint32_t>> lists_of(std::string_view text) {
  std::vector<std::vector<std::uint32_t>> lists;
  while (true) {
    const std::size_t end = text.find(';');
    lists.push_back(numbers_of(text.substr(0, end), ','));
    if (end == std::string_view::npos) return lists;
    text.remove_prefix(end + 1);
  }
}

std::uint64_t product(const std::vector<std::uint32_t>& numbers) {
  std::uint64_t result = 1;
  for (const std::uint32_t number : numbers) result = limited_product(result, number);
  return result;
}

constexpr double cable_seconds = 1e-6;

Result<Platform> make_fat_tree_platform(std::string_view name, std::string_view shape, const NetworkPreset* preset) {
  FatTree tree;
  const std::vector<std::uint32_t> single = numbers_of(shape, ';');
  const auto lists = lists_of(shape);
  if (single.size() == 1 && single[0] <= hosts_max) {
    std::uint32_t down = 1;
    for (std::uint32_t d = 1; std::uint64_t{d} * d <= single[0]; ++d)
      if (single[0] % d == 0) down = d;
    tree = {{down, single[0] / down}, {1, down}, {1, 1}};
  } else if (lists.size() == 4 && lists[0].size() == 1 && !lists[1].empty() && lists[0][0] == lists[1].size()) {
    tree = {lists[1], lists[2], lists[3]};
  } else {
    return Error{fmt::format("platform '{}': accepted: fat-tree:HOSTS with a number from 1 to {}, or "
                             "fat-tree:LEVELS;DOWN,...;UP,...;CABLES,... such as fat-tree:2;4,4;1,2;1,2",
                             name.substr(0, 80), hosts_max)};
  }
  ClusterDescription cluster = cluster_of(product(tree.down), cable_seconds, preset);
  cluster.topology = std::move(tree);
  return build(name, cluster, preset);
}

Result<Platform> make_torus_platform(std::string_view name, std::string_view shape, const NetworkPreset* preset) {
  const std::vector<std::uint32_t> sizes = numbers_of(shape, 'x');
  if (sizes.empty())
    return Error{"platform '" + std::string(name.substr(0, 80)) + "': accepted: torus:AxBx... such as torus:4x4x4"};
  ClusterDescription cluster = cluster_of(product(sizes), cable_seconds, preset);
  cluster.topology = Torus{sizes};
  return build(name, cluster, preset);
}

Result<Platform> make_dragonfly_platform(std::string_view name, std::string_view shape, const NetworkPreset* preset) {
  const std::vector<std::uint32_t> sizes = numbers_of(shape, 'x');
  const auto lists = lists_of(shape);
  Dragonfly d;
  if (sizes.size() == 4) d = {sizes[0], 1, sizes[1], 1, sizes[2], 1, sizes[3]};
  else if (lists.size() == 4 && lists[0].size() == 2 && lists[1].size() == 2 && lists[2].size() == 2 &&
           lists[3].size() == 1)
    d = {lists[0][0], lists[0][1], lists[1][0], lists[1][1], lists[2][0], lists[2][1], lists[3][0]};
  else
    return Error{"platform '" + std::string(name.substr(0, 80)) +
                 "': accepted: dragonfly:GROUPSxCHASSISxBLADESxNODES such as dragonfly:3x4x5x2, or "
                 "dragonfly:GROUPS,CABLES;CHASSIS,CABLES;BLADES,CABLES;NODES"};
  ClusterDescription cluster = cluster_of(product({d.groups, d.chassis, d.blades, d.nodes}), cable_seconds, preset);
  cluster.topology = d;
  return build(name, cluster, preset);
}

Result<Platform> make_flat_platform(std::string_view name, std::string_view digits, bool has_backbone,
                                    const NetworkPreset* preset) {
  const std::vector<std::uint32_t> hosts = numbers_of(digits, ';');
  if (hosts.size() != 1 || hosts[0] > hosts_max)
    return Error{fmt::format("platform '{}': '{}' is not a number of hosts from 1 to {}", name.substr(0, 80),
                             digits.substr(0, 60), hosts_max)};
  ClusterDescription cluster = cluster_of(hosts[0], 5e-6, preset);
  // The latency of a preset contains the switch.
  if (has_backbone) cluster.backbone = {"", 10 * cluster.bytes_per_second, preset ? 0 : 1e-6, LinkPolicy::fatpipe};
  return build(name, cluster, preset);
}

}  // namespace

std::string_view built_in_names() {
  return "laptop, cluster:N, crossbar:N, fat-tree:N, torus:AxBxC, dragonfly:GxCxBxN, all but laptop also with "
         "@NETWORK (rehearse list networks)";
}

bool is_built_in(std::string_view name) {
  if (name == "laptop" || name.starts_with("laptop@")) return true;
  for (const std::string_view kind : {"cluster:", "crossbar:", "fat-tree:", "torus:", "dragonfly:"})
    if (name.starts_with(kind)) return true;
  return false;
}

Result<Platform> make_built_in(std::string_view name) {
  const std::size_t at = name.find('@');
  const NetworkPreset* preset = nullptr;
  if (at != std::string_view::npos) {
    preset = find_network_preset(name.substr(at + 1));
    std::string names;
    for (const NetworkPreset& each : network_presets()) names += (names.empty() ? "" : ", ") + std::string(each.name);
    if (preset == nullptr || name.starts_with("laptop"))
      return Error{fmt::format("platform '{}': network '{}' given; accepted: a cluster, crossbar, fat-tree, torus or "
                               "dragonfly with @ and one of {}",
                               name.substr(0, 80), name.substr(at + 1).substr(0, 60), names)};
  }
  if (name == "laptop") return make_laptop();
  const std::string_view kind = name.substr(0, name.find(':'));
  std::string_view shape = name.substr(0, at);
  shape.remove_prefix(std::min(shape.size(), kind.size() + 1));
  if (kind == "torus") return make_torus_platform(name, shape, preset);
  if (kind == "fat-tree") return make_fat_tree_platform(name, shape, preset);
  if (kind == "dragonfly") return make_dragonfly_platform(name, shape, preset);
  return make_flat_platform(name, shape, kind == "cluster", preset);
}

}  // namespace rehearse::platform
