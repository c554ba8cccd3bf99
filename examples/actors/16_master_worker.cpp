// SPDX-License-Identifier: MIT
//
// A master gives out the parts of a sum to the workers that ask for them. It gives the next part to whoever is idle, so
// the faster workers do more of them. All communicate by messages only: the program also works in several processes
// (rehearse real).
//
// Usage: 16_master_worker [HOSTS [PARTS]]   (8 hosts, 40 parts)
//
// Prints:
//   7 workers have added 40 parts
//   the sum is 333383335000
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr std::uint64_t numbers = 10000;
constexpr double flops_per_number = 20000;

struct Part {
  std::uint64_t first, last;
};
struct Done {
  std::uint32_t worker;
  bool has_worked;
  std::uint64_t sum;
};

// Of the squares of the numbers from first to last - 1.
std::uint64_t sum_of(const Part& part) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = part.first; i < part.last; ++i) sum += (i + 1) * (i + 1);
  return sum;
}

void be_master(sim::Simulation& simulation, std::uint32_t workers, std::uint32_t parts) {
  sim::Mailbox& results = simulation.mailbox("results");
  std::uint32_t given = 0, done = 0, released = 0;
  std::uint64_t sum = 0;
  while (released < workers) {
    const auto message = results.get<Done>();
    sum += message.sum;
    done += message.has_worked;
    std::optional<Part> next;
    if (given < parts) {
      next = Part{numbers * given / parts, numbers * (given + 1) / parts};
      ++given;
    } else {
      ++released;
    }
    simulation.mailbox("work of " + std::to_string(message.worker)).put(next, 1e5);
  }
  std::cout << workers << " workers have added " << done << " parts\nthe sum is " << sum << "\n";
}

void be_worker(sim::Simulation& simulation, std::uint32_t self) {
  sim::Mailbox& results = simulation.mailbox("results");
  sim::Mailbox& work = simulation.mailbox("work of " + std::to_string(self));
  results.put(Done{self, false, 0}, 16);  // it is idle
  while (const auto part = work.get<std::optional<Part>>()) {
    sim::this_actor::execute(static_cast<double>(part->last - part->first) * flops_per_number);
    results.put(Done{self, true, sum_of(*part)}, 16);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto platform = rehearse::make_platform(std::string("cluster:") + (argc > 1 ? argv[1] : "8"));
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  const auto parts = static_cast<std::uint32_t>(argc > 2 ? std::stoul(argv[2]) : 40);
  sim::Simulation simulation(platform.value());
  const auto hosts = simulation.hosts();
  const auto workers = static_cast<std::uint32_t>(hosts.size() - 1);
  simulation.add_actor("master", hosts[0], [&] { be_master(simulation, workers, parts); });
  for (std::uint32_t i = 1; i <= workers; ++i)
    simulation.add_actor("worker", hosts[i], [&, i] { be_worker(simulation, i); });
  std::cout << simulation.run().text();
}
