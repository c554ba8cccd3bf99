// SPDX-License-Identifier: MIT
//
// Three applications on two clusters that are joined by one link. "sort" exchanges data between all of its hosts,
// "backup" copies files from the first cluster to the second one, "render" computes. While the backbone is full, sort
// and backup share it, and the hosts of sort wait. With the argument `local`, sort runs inside of one cluster.
//
//   rehearse run --usage spread.json example_18_saturated_backbone
//   rehearse run --usage local.json example_18_saturated_backbone local
//   rehearse usage spread.json local.json --report compared.html
//
// Picture: L. M. Schnorr, A. Legrand, J.-M. Vincent, Interactive analysis of large distributed systems with scalable
// topology-based visualization, ISPASS 2013 (two clusters whose interconnection is saturated).
//
// Prints:
//   render ends at 80.0 s
//   sort ends at 74.0 s
//   backup ends at 84.9 s
#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/actor_api.hpp"
#include "simcore/platform_builder.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr int hosts_of_cluster = 12;

rehearse::Result<rehearse::Platform> two_clusters() {
  rehearse::PlatformBuilder builder;
  const auto grid = builder.add_zone(builder.world(), "grid", rehearse::ZoneRouting::full);
  std::vector<rehearse::PointId> clusters, routers;
  for (const std::string name : {"adonis", "griffon"}) {
    const auto cluster = builder.add_zone(grid, name, rehearse::ZoneRouting::star);
    clusters.push_back(cluster);
    routers.push_back(builder.add_router(cluster, "router of " + name));
    for (int i = 1; i <= hosts_of_cluster; ++i) {
      const std::string host_name = name + "-" + std::to_string(i);
      const auto host = builder.add_host(cluster, {.name = host_name, .speeds = {10e9}});
      const auto cable = builder.add_link({"cable of " + host_name, 125e6, 20e-6, rehearse::LinkPolicy::split_duplex});
      builder.set_leg(cluster, host, {.up = {cable.up}, .down = {cable.down}});
    }
  }
  const auto backbone = builder.add_link({"backbone", 125e6, 2e-3});
  builder.add_route(grid, {.source = clusters[0],
                           .destination = clusters[1],
                           .links = {{backbone}},
                           .source_gateway = routers[0],
                           .destination_gateway = routers[1]});
  return builder.finish("two clusters");
}

// Notes when the last of its actors has ended.
struct Application {
  std::string name;
  int running = 0;
  double end = 0;

  void ended() {
    if (--running == 0) end = sim::this_actor::now();
  }
};

void sort(Application& application, int me, int all) {
  sim::Simulation& simulation = sim::this_actor::simulation();
  for (int round = 0; round < 20; ++round) {
    sim::this_actor::execute(10e9);
    std::vector<sim::Comm> sent;
    const auto box = [&](int from, int to) -> sim::Mailbox& {
      return simulation.mailbox("sort " + std::to_string(from) + " to " + std::to_string(to));
    };
    for (int other = 0; other < all; ++other)
      if (other != me) sent.push_back(box(me, other).put_async(round, 8e6));
    for (int other = 0; other < all; ++other)
      if (other != me) box(other, me).get<int>();
    for (const sim::Comm& message : sent) message.wait();
  }
  application.ended();
}

void copy(Application& application, sim::HostRef from, sim::HostRef to) {
  sim::this_actor::sleep_until(15);
  for (int file = 0; file < 40; ++file) sim::Comm::sendto(from, to, 50e6);
  application.ended();
}

void render(Application& application) {
  for (int frame = 0; frame < 40; ++frame) {
    sim::this_actor::execute(18e9);
    sim::this_actor::sleep_for(0.2);
  }
  application.ended();
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_local = argc > 1 && std::string_view(argv[1]) == "local";
  auto platform = two_clusters();
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  const auto host = [&](const std::string& cluster, int number) {
    return simulation.host(cluster + "-" + std::to_string(number));
  };
  Application sorting{"sort", 8}, backup{"backup", 2}, rendering{"render", 6};
  for (int i = 0; i < sorting.running; ++i)
    simulation.add_actor("sort", host(is_local || i % 2 == 0 ? "adonis" : "griffon", is_local ? 1 + i : 1 + i / 2),
                         [&, i, all = sorting.running] { sort(sorting, i, all); }, {.category = "sort"});
  for (int i = 0; i < backup.running; ++i)
    simulation.add_actor("backup", host("adonis", 11 + i),
                         [&, i] { copy(backup, host("adonis", 11 + i), host("griffon", 11 + i)); },
                         {.category = "backup"});
  for (int i = 0; i < rendering.running; ++i)
    simulation.add_actor("render", host("griffon", 5 + i), [&] { render(rendering); }, {.category = "render"});
  std::cout << simulation.run().text() << std::fixed << std::setprecision(1);
  for (const Application& each : {rendering, sorting, backup})
    std::cout << each.name << " ends at " << each.end << " s\n";
}
