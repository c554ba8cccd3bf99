// SPDX-License-Identifier: MIT
//
// The wiring of platforms: nodes and wires of each kind of zone, and zones that are too large.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "simcore/platform_generator.hpp"
#include "simcore/platform_text.hpp"
#include "simcore/platform_wiring.hpp"

using namespace rehearse;
using NodeKind = WiringNode::Kind;

namespace {

PlatformWiring wired(const std::string& name, std::size_t points_max = 500) {
  auto platform = make_platform(name);
  if (!platform) FAIL(platform.error().text);
  return wiring_of(platform.value(), points_max);
}

auto count(const PlatformWiring& wiring, NodeKind kind) {
  return std::ranges::count_if(wiring.nodes, [&](const WiringNode& node) { return node.kind == kind; });
}

bool is_connected(const PlatformWiring& wiring) {
  std::set<std::uint32_t> seen{0};
  for (std::size_t before = 0; before < seen.size();) {
    before = seen.size();
    for (const Wire& wire : wiring.wires)
      if (seen.contains(wire.from) || seen.contains(wire.to)) seen.insert({wire.from, wire.to});
  }
  return seen.size() == wiring.nodes.size();
}

}  // namespace

TEST_CASE("wiring: a cluster is a star around its backbone", "[simcore][platform]") {
  const PlatformWiring wiring = wired("cluster:6");
  CHECK(count(wiring, NodeKind::host) == 6);
  CHECK(count(wiring, NodeKind::router) == 1);
  REQUIRE(count(wiring, NodeKind::centre) == 1);
  CHECK(wiring.nodes.back().name == "cluster_backbone");
  CHECK(wiring.wires.size() == 7);
  CHECK(is_connected(wiring));
  // Without a backbone, the router is the centre.
  const PlatformWiring crossbar = wired("crossbar:6");
  CHECK(count(crossbar, NodeKind::centre) == 0);
  CHECK(crossbar.wires.size() == 6);
  CHECK(is_connected(crossbar));
}

TEST_CASE("wiring: interconnects have each cable once", "[simcore][platform]") {
  const PlatformWiring torus = wired("torus:3x3");
  CHECK(torus.nodes.size() == 9);
  CHECK(torus.wires.size() == 18);
  CHECK(is_connected(torus));
  const PlatformWiring tree = wired("fat-tree:2;4,4;1,2;1,2");
  CHECK(count(tree, NodeKind::host) == 16);
  CHECK(count(tree, NodeKind::switch_node) == 4 + 2);
  CHECK(tree.wires.size() == 16 + 4 * 2 * 2);
  CHECK(is_connected(tree));
  const PlatformWiring dragonfly = wired("dragonfly:2x2x2x2");
  CHECK(count(dragonfly, NodeKind::switch_node) == 8);
  // Of hosts, between blades and between chassis of each group, between groups.
  CHECK(dragonfly.wires.size() == 16 + 2 * 2 + 2 * 2 + 1);
  CHECK(is_connected(dragonfly));
}

TEST_CASE("wiring: a generated graph has its nodes and edges", "[simcore][platform]") {
  GeneratorOptions options;
  options.kind = GeneratorOptions::Kind::barabasi_albert;
  options.nodes = 40;
  options.promoters = {{Promoter::Role::host, 0, 3, 1}};
  const std::string text = generate_platform(options).value();
  const PlatformWiring wiring = wiring_of(platform_from_text("text", text).value(), 100);
  CHECK(wiring.nodes.size() == 40);
  CHECK(count(wiring, NodeKind::router) > 5);
  CHECK(wiring.wires.size() == 3 + 37 * 2);
  CHECK(is_connected(wiring));
  for (const WiringNode& node : wiring.nodes) CHECK(node.name.starts_with("node-"));
}

TEST_CASE("wiring: a large zone is one node", "[simcore][platform]") {
  const std::string text = R"(<platform version="4.1"><zone id="w" routing="Full">
<cluster id="a" prefix="a" suffix="" radical="0-99" speed="1Gf" bw="1GBps" lat="1us" router_id="ra"/>
<cluster id="b" prefix="b" suffix="" radical="0-4" speed="1Gf" bw="1GBps" lat="1us" router_id="rb"/>
<link id="l" bandwidth="1GBps" latency="1ms"/>
<zoneRoute src="a" dst="b" gw_src="ra" gw_dst="rb"><link_ctn id="l"/></zoneRoute></zone></platform>)";
  const auto loaded = platform_from_text("text", text);
  const Platform& platform = loaded.value();
  const PlatformWiring wiring = wiring_of(platform, 50);
  REQUIRE(count(wiring, NodeKind::zone) == 1);
  const auto zone = std::ranges::find(wiring.nodes, NodeKind::zone, &WiringNode::kind);
  CHECK(zone->name == "a");
  CHECK(zone->hosts == 100);
  CHECK(count(wiring, NodeKind::host) == 5);
  CHECK(wiring.wires.size() == 6);
  CHECK(is_connected(wiring));
  CHECK(wiring_of(platform, 101).nodes.size() == 105 + 2);
  CHECK(wired("cluster:100000").nodes.size() == 1);
}
