// SPDX-License-Identifier: MIT
//
// The election of 9_election, with published values: leader@I = 1 if actor I has won, knows@I = 1 if it knows who has.
// With `hasty`, an actor that gets nothing for a second declares itself the leader. With `forever`, the leader sends
// its number around the ring again and again.
//
// Source: Chang, Roberts, An improved algorithm for decentralized extrema-finding in circular configurations of
//         processes, Communications of the ACM 22(5), 1979.
// Checks: rehearse check --ltl 'F G (sum(leader) == 1)' PROGRAM 3
// Usage:  PROGRAM [ACTORS] [hasty|forever]
// Prints:
//   the ring has a leader
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr double bytes = 100, patience_seconds = 1;

struct Ring {
  std::size_t actors = 0;
  std::string kind;
  sim::Simulation* simulation = nullptr;

  sim::Mailbox& of(std::size_t actor) { return simulation->mailbox("ring " + std::to_string(actor % actors)); }
};

void lead() {
  sim::this_actor::publish("leader", 1);
  sim::this_actor::publish("knows", 1);
}

void elect(Ring& ring, std::size_t self) {
  sim::Mailbox& next = ring.of(self + 1);
  sim::this_actor::publish("leader", 0);
  sim::this_actor::publish("knows", 0);
  next.put_detached(self, bytes);
  const std::size_t largest = ring.actors - 1;
  bool has_won = false;
  while (true) {
    std::size_t number = 0;
    try {
      number = ring.kind == "hasty" ? ring.of(self).get<std::size_t>(patience_seconds)
                                    : ring.of(self).get<std::size_t>();
    } catch (const sim::TimeoutError&) {
      return lead();
    }
    if (number == self && !std::exchange(has_won, true)) lead();
    if (number == largest && self != largest) sim::this_actor::publish("knows", 1);
    if (number == self && ring.kind != "forever") return;
    if (number >= self) next.put_detached(number, bytes);
    if (number == largest && self != largest && ring.kind != "forever") return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t actors = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 3;
  auto platform = rehearse::make_platform("cluster:" + std::to_string(actors));
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  Ring ring{actors, argc > 2 ? argv[2] : "", &simulation};
  for (std::size_t i = 0; i < actors; ++i)
    simulation.add_actor("actor " + std::to_string(i), simulation.hosts()[i], [&ring, i] { elect(ring, i); });
  simulation.run();
  std::cout << "the ring has a leader\n";
}
