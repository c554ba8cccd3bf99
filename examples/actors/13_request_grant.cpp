// SPDX-License-Identifier: MIT
//
// Clients ask a server for a grant, again and again. The server answers each request (`fair`), forgets each second one
// (`forgetful`), prefers client 0 whenever it has asked (`partial`), or grants without being asked (`eager`).
//
// Checks: rehearse check --ltl 'G (requested@1 -> F granted@1)' PROGRAM fair 1
// Usage:  PROGRAM [SERVER [CLIENTS [ROUNDS]]]   0 rounds: forever
// Prints:
//   1 client is done
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr double bytes = 100;

struct Office {
  std::string kind;
  int clients = 1;
  sim::Simulation* simulation = nullptr;

  sim::Mailbox& requests() { return simulation->mailbox("requests"); }
  sim::Mailbox& of(int client) { return simulation->mailbox("client " + std::to_string(client)); }
};

// The server is actor 0.
void serve(Office& office) {
  bool forgets = false;
  std::vector<bool> waits(static_cast<std::size_t>(office.clients) + 1, false);
  if (office.kind == "eager") sim::this_actor::publish("grants", 1);
  while (true) {
    int client = office.requests().get<int>();
    sim::this_actor::publish("grants", 0);
    if (office.kind == "forgetful" && std::exchange(forgets, !forgets)) continue;
    if (office.kind == "partial" && client != 1 && !office.requests().empty()) {
      const int preferred = office.requests().get<int>();  // the other one, which waits behind it
      sim::this_actor::publish("grants", preferred);
      office.of(preferred).put(1, bytes);
      continue;  // it has forgotten the first one
    }
    sim::this_actor::publish("grants", client);
    office.of(client).put(1, bytes);
  }
}

void ask(Office& office, int self, int rounds) {
  for (int round = 0; rounds == 0 || round < rounds; round += rounds == 0 ? 0 : 1) {
    sim::this_actor::publish("requested", 1);
    office.requests().put(self, bytes);
    office.of(self).get<int>();
    sim::this_actor::publish("granted", 1);
    sim::this_actor::publish("requested", 0);
    sim::this_actor::publish("granted", 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int clients = argc > 2 ? std::atoi(argv[2]) : 1;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 2;
  auto platform = rehearse::make_platform("cluster:" + std::to_string(clients + 1));
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  const auto hosts = simulation.hosts();
  Office office{argc > 1 ? argv[1] : "fair", clients, &simulation};
  sim::ActorOptions daemon;
  daemon.daemon = true;
  simulation.add_actor(
      "server", hosts[0], [&office] { serve(office); }, daemon);
  for (int client = 1; client <= clients; ++client)
    simulation.add_actor("client " + std::to_string(client), hosts[static_cast<std::size_t>(client)],
                         [&office, client, rounds] { ask(office, client, rounds); });
  if (!simulation.run().is_deadlock())
    std::cout << clients << (clients == 1 ? " client is" : " clients are") << " done\n";
}
