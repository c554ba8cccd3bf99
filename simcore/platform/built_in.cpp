// SPDX-License-Identifier: MIT
//
// Platforms that need no file; the figures are explained in the header.
#include "simcore/platform/built_in.hpp"

#include <charconv>
#include <numeric>

#include "simcore/platform/platform_builder.hpp"

namespace rehearse::platform {

namespace {

constexpr double core_flops_per_second = 10e9;
constexpr std::uint32_t cores_per_host = 8;
constexpr std::uint32_t hosts_max = 1'000'000;

Link loopback() { return {"loopback", 10e9, 0.5e-6, LinkSharing::fatpipe}; }

Platform make_laptop() {
  PlatformBuilder builder;
  (void)builder.add_zone("world", std::nullopt, TreeRouting::full);
  const PointId world = *builder.find_point("world");
  (void)builder.add_host(world, {"laptop", core_flops_per_second, cores_per_host});
  (void)builder.add_link(loopback(), false);
  const PointId host = *builder.find_point("laptop");
  const LinkId link = builder.find_link("loopback")->up;
  builder.tree().add_edge(world, host, host, {{link}, host, host});
  return builder.finish("laptop");
}

Platform make_cluster(std::uint32_t hosts) {
  ClusterDescription description;
  description.name = "cluster";
  description.prefix = "node-";
  description.numbers.resize(hosts);
  std::iota(description.numbers.begin(), description.numbers.end(), 0u);
  description.flops_per_second = core_flops_per_second;
  description.cores = cores_per_host;
  description.link = {"", 1.25e9, 5e-6, LinkSharing::shared};
  description.backbone = Link{"", 12.5e9, 1e-6, LinkSharing::fatpipe};
  description.loopback = loopback();
  PlatformBuilder builder;
  (void)builder.add_cluster(std::nullopt, description);
  return builder.finish("cluster:" + std::to_string(hosts));
}

}  // namespace

bool is_built_in(std::string_view name) { return name == "laptop" || name.starts_with("cluster:"); }

Result<Platform> make_built_in(std::string_view name) {
  if (name == "laptop") return make_laptop();
  const std::string_view digits = name.substr(name.find(':') + 1);
  std::uint32_t hosts = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), hosts);
  if (code != std::errc() || end != digits.data() + digits.size() || hosts == 0 ||
      hosts > hosts_max)
    return Error{"platform '" + std::string(name) + "': '" + std::string(digits) +
                 "' is not a number of hosts from 1 to " + std::to_string(hosts_max)};
  return make_cluster(hosts);
}

}  // namespace rehearse::platform
