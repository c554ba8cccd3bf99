// SPDX-License-Identifier: MIT
//
// Timing of a broadcast in clusters whose leaves are machines of eight processors: a torus, a fat tree, a dragonfly.
#include "simcore/platform_builder.hpp"
#include "tests/timing/scene.hpp"

using namespace rehearse;
using namespace rehearse::testing;

namespace {

// A star of eight hosts; the first one stands for it towards the rest of the cluster.
ClusterLeaf add_machine(PlatformBuilder& builder, PointId parent, std::uint32_t number) {
  const std::string name = "host" + std::to_string(number);
  const PointId zone = builder.add_zone(parent, name, ZoneRouting::star);
  std::optional<PointId> gateway;
  for (int i = 0; i < 8; ++i) {
    const std::string processor = name + "-cpu" + std::to_string(i);
    const PointId host = builder.add_host(zone, {processor, {1e9}});
    const LinkHandle link = builder.add_link({"link-" + processor, 100e9, 1e-9, LinkPolicy::split_duplex});
    builder.set_leg(zone, host, {.up = {link.up}, .down = {link.down}});
    if (i == 0) gateway = host;
  }
  return {zone, gateway};
}

Platform cluster_of_machines(std::uint32_t machines, std::variant<Flat, Torus, FatTree, Dragonfly> topology) {
  PlatformBuilder builder;
  ClusterDescription cluster;
  cluster.name = "cluster";
  for (std::uint32_t i = 0; i < machines; ++i) cluster.numbers.push_back(i);
  cluster.bytes_per_second = 10e9;
  cluster.latency_seconds = 10e-6;
  cluster.topology = std::move(topology);
  cluster.limiter = LinkDescription{"", 1e9, 0};
  cluster.make_leaf = add_machine;
  builder.add_cluster(builder.world(), cluster);
  auto platform = builder.finish("cluster");
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

// 1 MB from the first processor to each, all at once; when each has it.
std::map<std::string, double> broadcast(Platform&& platform) {
  Scene scene(std::move(platform));
  std::map<std::string, double> arrivals;
  for (const auto& host : scene->hosts()) {
    scene.actor(host.name(), [&, host] {
      scene->mailbox(host.name()).receive();
      arrivals[host.name()] = scene->now();
    });
  }
  scene.actor("host0-cpu0", [&] {
    sim::ActivitySet sent;
    for (const auto& host : scene->hosts()) sent.push(scene->mailbox(host.name()).put_async("text", 1e6));
    sent.wait_all();
    arrivals["all"] = scene->now();
  });
  scene.run();
  return arrivals;
}

}  // namespace

TEST_CASE("timing 119: a broadcast in a torus of eight machines ends at 0.060749 s", "[timing]") {
  auto arrivals = broadcast(cluster_of_machines(8, Torus{{2, 2, 2}}));
  CHECK_THAT(arrivals["host0-cpu1"], Printed(0.000083));
  CHECK_THAT(arrivals["all"], Printed(0.060749));
}

TEST_CASE("timing 119: a broadcast in a fat tree of six machines ends at 0.043559 s", "[timing]") {
  auto arrivals = broadcast(cluster_of_machines(6, FatTree{{2, 3}, {1, 2}, {1, 1}}));
  CHECK_THAT(arrivals["host0-cpu1"], Printed(0.000083));
  CHECK_THAT(arrivals["all"], Printed(0.043559));
}

TEST_CASE("timing 119: a broadcast in a dragonfly of sixteen machines ends at 0.130157 s", "[timing]") {
  auto arrivals = broadcast(cluster_of_machines(
      16, Dragonfly{.groups = 2, .blue = 2, .chassis = 2, .black = 1, .blades = 2, .green = 2, .nodes = 2}));
  CHECK_THAT(arrivals["host0-cpu1"], Printed(0.000083));
  CHECK_THAT(arrivals["all"], Printed(0.130157));
}
