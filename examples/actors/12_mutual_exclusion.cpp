// SPDX-License-Identifier: MIT
//
// Two actors enter a critical section again and again. They exclude each other with a mutex (`lock`), by Peterson's
// algorithm (`peterson`), in strict turns (`turns`), with a flag each (`flags`), or not at all (`none`).
//
// Source: Peterson, Myths about the mutual exclusion problem, Information Processing Letters 12(3), 1981.
// Checks: rehearse check --ltl 'G !(busy@0 && busy@1)' PROGRAM lock
//         rehearse check --ltl 'G (waits@0 -> F busy@0)' PROGRAM peterson
// Usage:  PROGRAM [METHOD [ROUNDS]]   0 rounds: forever
// Prints:
//   both have left
#include <cstdlib>
#include <iostream>
#include <string>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

struct Section {
  std::string method;
  sim::Mutex mutex{};
  sim::SharedVariable<int> turn{0};
  sim::SharedVariable<bool> wants[2] = {};

  void enter(int self) {
    const int other = 1 - self;
    if (method == "lock") mutex.lock();
    if (method == "turns")
      while (turn.load() != self) sim::this_actor::yield();
    if (method != "peterson" && method != "flags") return;
    wants[self].store(true);
    if (method == "peterson") turn.store(other);
    while (wants[other].load() && (method == "flags" || turn.load() == other)) sim::this_actor::yield();
  }
  void leave(int self) {
    if (method == "lock") mutex.unlock();
    if (method == "turns") turn.store(1 - self);
    if (method == "peterson" || method == "flags") wants[self].store(false);
  }
};

void work(Section& section, int self, int rounds) {
  for (int round = 0; rounds == 0 || round < rounds; round += rounds == 0 ? 0 : 1) {
    sim::this_actor::publish("waits", 1);
    section.enter(self);
    sim::this_actor::publish("busy", 1);
    sim::this_actor::publish("waits", 0);
    sim::this_actor::publish("busy", 0);
    section.leave(self);
  }
}

}  // namespace

int main(int argc, char** argv) {
  auto platform = rehearse::make_platform("cluster:2");
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  Section section{argc > 1 ? argv[1] : "lock"};
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 2;
  for (int self = 0; self < 2; ++self)
    simulation.add_actor("actor " + std::to_string(self), simulation.hosts()[static_cast<std::size_t>(self)],
                         [&section, self, rounds] { work(section, self, rounds); });
  simulation.run();
  std::cout << "both have left\n";
}
