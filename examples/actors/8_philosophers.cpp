// SPDX-License-Identifier: MIT
//
// Dining philosophers: each needs the two forks beside it. With the argument `greedy` each takes its left fork first;
// otherwise the last one takes its right fork first. In simulated time both end well, because they become hungry one
// after the other. `rehearse check` finds the order in which the greedy ones starve.
//
// Usage: PROGRAM [PHILOSOPHERS] [greedy]
// Prints:
//   philosopher 0 has eaten at 1.000 s
//   philosopher 1 has eaten at 3.000 s
//   philosopher 2 has eaten at 5.000 s
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;
namespace this_actor = rehearse::sim::this_actor;

namespace {

constexpr double meal_seconds = 1, pause_seconds = 2;

void dine(std::size_t self, sim::Mutex& first, sim::Mutex& second) {
  this_actor::sleep_for(pause_seconds * static_cast<double>(self));
  first.lock();
  second.lock();
  this_actor::sleep_for(meal_seconds);
  std::cout << "philosopher " << self << " has eaten at " << this_actor::now() << " s\n";
  second.unlock();
  first.unlock();
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t philosophers = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 3;
  const bool are_greedy = argc > 2 && std::string(argv[2]) == "greedy";
  auto platform = rehearse::make_platform("cluster:" + std::to_string(philosophers));
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  std::cout << std::fixed << std::setprecision(3);
  sim::Simulation simulation(platform.value());
  std::vector<sim::Mutex> forks(philosophers);
  for (std::size_t i = 0; i < philosophers; ++i) {
    sim::Mutex& left = forks[i];
    sim::Mutex& right = forks[(i + 1) % philosophers];
    const bool is_last = i + 1 == philosophers;
    simulation.add_actor("philosopher " + std::to_string(i), simulation.hosts()[i], [&, i, is_last] {
      if (is_last && !are_greedy) dine(i, right, left);
      else dine(i, left, right);
    });
  }
  std::cout << simulation.run().text();
}
