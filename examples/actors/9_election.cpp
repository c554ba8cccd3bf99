// SPDX-License-Identifier: MIT
//
// An election on a ring: each actor sends its number to the next one and passes on larger numbers; the owner of a
// number that comes back is the leader. With the argument `hasty` an actor that gets nothing for a second declares
// itself the leader. In simulated time each message comes sooner.
//
// Source: Chang, Roberts, An improved algorithm for decentralized extrema-finding in circular configurations of
//         processes, Communications of the ACM 22(5), 1979.
// Usage:  PROGRAM [ACTORS] [hasty]
// Prints:
//   actor 2 is the leader
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <string>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr double bytes = 100, patience_seconds = 1;

struct Ring {
  std::size_t actors = 0;
  bool is_hasty = false;
  sim::Simulation* simulation = nullptr;
  sim::SharedVariable<int> leaders = {};

  sim::Mailbox& of(std::size_t actor) { return simulation->mailbox("ring " + std::to_string(actor % actors)); }
};

void lead(Ring& ring, std::size_t self) {
  const int others = ring.leaders.fetch_add(1);
  assert(others == 0);  // there is one leader
  (void)others;
  std::cout << "actor " << self << " is the leader\n";
}

void elect(Ring& ring, std::size_t self) {
  sim::Mailbox& next = ring.of(self + 1);
  next.put_detached(self, bytes);
  const bool is_largest = self + 1 == ring.actors;
  while (true) {
    std::size_t number = 0;
    try {
      number = ring.is_hasty ? ring.of(self).get<std::size_t>(patience_seconds) : ring.of(self).get<std::size_t>();
    } catch (const sim::TimeoutError&) {
      return lead(ring, self);
    }
    if (number == self) return lead(ring, self);
    if (number > self) next.put_detached(number, bytes);
    if (number + 1 == ring.actors && !is_largest) return;  // nothing else can come
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
  Ring ring{actors, argc > 2 && std::string(argv[2]) == "hasty", &simulation};
  for (std::size_t i = 0; i < actors; ++i)
    simulation.add_actor("actor " + std::to_string(i), simulation.hosts()[i], [&ring, i] { elect(ring, i); });
  std::cout << simulation.run().text();
}
