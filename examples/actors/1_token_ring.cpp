// SPDX-License-Identifier: MIT
//
// A token of 1 MB goes around a ring of hosts: actors, mailboxes and simulated time.
//
// Prints:
//   10 hosts
//   at host 1: 0.000968 s
//   at host 5: 0.004839 s
//   at host 9: 0.008711 s
//   back at host 0: 0.009679 s
#include <iomanip>
#include <iostream>
#include <string>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

int main(int argc, char** argv) {
  // `cluster:N` is built in: N hosts with a link of 1.25 GB/s and 5 us each on a backbone.
  auto platform = rehearse::make_platform(std::string("cluster:") + (argc > 1 ? argv[1] : "10"));
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  const auto hosts = simulation.hosts();
  std::cout << hosts.size() << " hosts\n" << std::fixed << std::setprecision(6);

  for (std::size_t i = 0; i < hosts.size(); ++i) {
    sim::Mailbox& mine = simulation.mailbox("host " + std::to_string(i));
    sim::Mailbox& next = simulation.mailbox("host " + std::to_string((i + 1) % hosts.size()));
    simulation.add_actor("relay", hosts[i], [i, &mine, &next] {
      if (i == 0) next.put(std::string("token"), 1e6);
      const auto token = mine.get<std::string>();
      if (i % 4 == 1) std::cout << "at " << mine.name() << ": " << sim::this_actor::now() << " s\n";
      if (i == 0) std::cout << "back at " << mine.name() << ": " << sim::this_actor::now() << " s\n";
      else next.put(token, 1e6);
    });
  }
  std::cout << simulation.run().text();
}
