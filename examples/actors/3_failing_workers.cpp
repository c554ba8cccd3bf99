// SPDX-License-Identifier: MIT
//
// A master and workers whose hosts turn off and on. The master gives out again the tasks that are lost.
//
// Prints:
//   22.045 s: 6 tasks are lost
//   28.586 s: 2 tasks are lost
//   30.108 s: 40 tasks are done, 48 were begun
#include <iomanip>
#include <iostream>
#include <set>

#include "simcore/actor_api.hpp"
#include "simcore/platform_builder.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr int workers = 4, tasks = 40;

// A star of hosts of 1 Gflop/s. The host of a worker is on for some seconds and then off for two, periodically.
rehearse::Result<rehearse::Platform> failing_star() {
  rehearse::PlatformBuilder builder;
  const auto star = builder.add_zone(builder.world(), "star", rehearse::ZoneRouting::star);
  for (int i = 0; i <= workers; ++i) {
    const std::string name = i == 0 ? "master" : "worker " + std::to_string(i);
    const auto host = builder.add_host(star, {.name = name, .speeds = {1e9}});
    const auto wire = builder.add_link({"wire of " + name, 125e6, 50e-6});
    builder.set_leg(star, host, {.up = {wire.up}, .down = {wire.down}});
    if (i == 0) continue;
    const double off = 3.0 + 2 * i, on = off + 2;
    std::vector<rehearse::ProfilePoint> points = {{off, 0}, {on, 1}};
    builder.set_state_profile(host, std::make_shared<rehearse::Profile>(std::move(points), on));
  }
  return builder.finish("star of hosts that fail");
}

}  // namespace

int main() {
  auto platform = failing_star();
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  sim::Mailbox &todo = simulation.mailbox("tasks"), &done = simulation.mailbox("results");
  int begun = 0;

  simulation.add_actor("master", simulation.host("master"), [&] {
    std::set<int> missing;
    for (int i = 0; i < tasks; ++i) missing.insert(i);
    for (const int task : missing) todo.put_detached(task, 1e6);
    while (!missing.empty()) {
      try {
        missing.erase(done.get<int>(5));
      } catch (const sim::TimeoutError&) {  // no worker has a task: give the missing ones out again
        std::cout << sim::this_actor::now() << " s: " << missing.size() << " tasks are lost\n";
        for (const int task : missing) todo.put_detached(task, 1e6);
      } catch (const sim::NetworkFailure&) {
        // A worker failed while it sent.
      }
    }
    std::cout << sim::this_actor::now() << " s: " << tasks << " tasks are done, " << begun << " were begun\n";
  });
  for (int i = 1; i <= workers; ++i) {
    const auto work = [&] {
      while (true) {
        const int task = todo.get<int>();
        ++begun;
        sim::this_actor::execute(1.5e9);
        done.put(task, 1000);
      }
    };
    simulation.add_actor("worker", simulation.host("worker " + std::to_string(i)), work,
                         {.daemon = true, .auto_restart = true});
  }
  std::cout << std::fixed << std::setprecision(3);
  std::cout << simulation.run().text();
}
