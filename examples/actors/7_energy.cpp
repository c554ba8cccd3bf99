// SPDX-License-Identifier: MIT
//
// The energy of two schedules of the same work: finish early and turn the hosts off, or compute slowly until the
// deadline. The better choice depends on the power of an idle host.
//
// Prints:
//   90:150, 85:100 W: 25200 J in a race, 38800 J at a walk
//   40:200, 30:70 W: 33200 J in a race, 24800 J at a walk
#include <iomanip>
#include <iostream>

#include "simcore/actor_api.hpp"
#include "simcore/energy.hpp"
#include "simcore/platform_builder.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr double deadline = 100, work = 80e9;  // seconds; flops for each of four hosts

// Fast: 2 Gflop/s. Slow: 1 Gflop/s. Watts of each speed: idle, computing. A host that is off draws 5 W.
rehearse::Result<rehearse::Platform> four_hosts(const std::string& watts) {
  rehearse::PlatformBuilder builder;
  const auto zone = builder.add_zone(builder.world(), "room", rehearse::ZoneRouting::none);
  for (int i = 0; i < 4; ++i)
    builder.add_host(zone, {.name = "host " + std::to_string(i),
                            .speeds = {2e9, 1e9},
                            .properties = {{"wattage_per_state", watts}, {"wattage_off", "5"}}});
  return builder.finish("four hosts");
}

// Joules until the deadline.
double energy(const rehearse::Platform& platform, bool fast) {
  sim::Simulation simulation(platform);
  auto meter = rehearse::HostEnergy::make(platform, simulation.costs());
  if (!meter) throw sim::BadUse(meter.error().text);
  for (const sim::HostRef host : simulation.hosts())
    simulation.add_actor("worker", host, [host, fast] {
      host.set_pstate(fast ? 0 : 1);
      sim::this_actor::execute(work);
      if (fast) host.turn_off();
    });
  (void)simulation.run_until(deadline);
  return meter.value()->joules(rehearse::TimePoint{} + rehearse::Duration::from_seconds(deadline));
}

}  // namespace

int main() {
  std::cout << std::fixed << std::setprecision(0);
  for (const std::string watts : {"90:150, 85:100", "40:200, 30:70"}) {
    auto platform = four_hosts(watts);
    if (!platform) {
      std::cerr << platform.error().text << "\n";
      return 2;
    }
    std::cout << watts << " W: " << energy(platform.value(), true) << " J in a race, "
              << energy(platform.value(), false) << " J at a walk\n";
  }
}
