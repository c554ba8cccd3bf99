// SPDX-License-Identifier: MIT
//
// Counters of visitors at several doors add to one number, under a mutex. With the argument `early` each gives the
// mutex back before it writes. In simulated time the sum is right nevertheless, because an actor runs until it waits;
// `rehearse check` finds the race.
//
// Usage: PROGRAM [DOORS] [early]
// Prints:
//   3 visitors
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <string>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

void count_one(sim::Mutex& mutex, sim::SharedVariable<int>& visitors, bool is_early) {
  std::unique_lock lock(mutex);
  const int before = visitors.read();
  if (is_early) lock.unlock();
  visitors.write(before + 1);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string doors = argc > 1 ? argv[1] : "3";
  const bool is_early = argc > 2 && std::string(argv[2]) == "early";
  auto platform = rehearse::make_platform("cluster:" + doors);
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  sim::Mutex mutex;
  sim::SharedVariable<int> visitors;
  int sum = 0;
  sim::Barrier at_the_end(static_cast<std::uint32_t>(simulation.hosts().size()));
  for (const sim::HostRef& host : simulation.hosts())
    simulation.add_actor("door " + host.name(), host, [&] {
      count_one(mutex, visitors, is_early);
      if (at_the_end.wait()) sum = visitors.read();
    });
  std::cout << simulation.run().text() << sum << " visitors\n";
}
