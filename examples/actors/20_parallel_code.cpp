// SPDX-License-Identifier: MIT
//
// A master gives out parts of a range of numbers, and the workers really count the primes. A part takes simulated time
// by its flops; its code runs meanwhile, with WORKERS threads for the code of all hosts. Dates and results are the same
// for any number of threads.
//
// Usage: 20_parallel_code [WORKERS [HOSTS [PARTS]]]   (1 thread, 9 hosts, 64 parts; 0 threads: as many as processors)
//
// Prints:
//   8 workers have found 78498 primes in 64 parts
//   the last result came at 0.065915 s
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <optional>
#include <string>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr std::uint64_t numbers = 1'000'000;
constexpr double flops_per_number = 5000;

struct Part {
  std::uint64_t first, last;
};
struct Result {
  std::uint32_t worker;
  std::uint64_t primes;
};

// From first to last - 1.
std::uint64_t count_primes(const Part& part) {
  std::uint64_t count = 0;
  for (std::uint64_t number = part.first; number < part.last; ++number) {
    bool is_prime = number >= 2;
    for (std::uint64_t divisor = 2; is_prime && divisor * divisor <= number; ++divisor)
      is_prime = number % divisor != 0;
    count += is_prime;
  }
  return count;
}

void be_master(sim::Simulation& simulation, std::uint32_t workers, std::uint64_t parts) {
  sim::Mailbox& results = simulation.mailbox("results");
  std::uint64_t given = 0, done = 0, primes = 0;
  const auto give_to = [&](std::uint32_t worker) {
    std::optional<Part> part;
    if (given < parts) part = Part{numbers * given / parts, numbers * (given + 1) / parts};
    ++given;
    simulation.mailbox("worker " + std::to_string(worker)).put_detached(part, 1e4);
  };
  for (std::uint32_t worker = 1; worker <= workers; ++worker) give_to(worker);
  while (done < parts) {
    const auto result = results.get<Result>();
    primes += result.primes;
    ++done;
    give_to(result.worker);
  }
  std::cout << workers << " workers have found " << primes << " primes in " << parts << " parts\n"
            << "the last result came at " << std::fixed << std::setprecision(6) << sim::this_actor::now() << " s\n";
}

void be_worker(sim::Simulation& simulation, std::uint32_t self) {
  sim::Mailbox& mine = simulation.mailbox("worker " + std::to_string(self));
  while (const auto part = mine.get<std::optional<Part>>()) {
    std::uint64_t primes = 0;
    const auto flops = static_cast<double>(part->last - part->first) * flops_per_number;
    sim::this_actor::execute(flops, [&] { primes = count_primes(*part); });
    simulation.mailbox("results").put_detached(Result{self, primes}, 16);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto platform = rehearse::make_platform(std::string("cluster:") + (argc > 2 ? argv[2] : "9"));
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::SimulationOptions options;
  options.workers = static_cast<std::uint32_t>(argc > 1 ? std::stoul(argv[1]) : 1);
  sim::Simulation simulation(platform.value(), options);
  const auto parts = argc > 3 ? std::stoull(argv[3]) : 64;
  const auto hosts = simulation.hosts();
  const auto workers = static_cast<std::uint32_t>(hosts.size() - 1);
  simulation.add_actor("master", hosts[0], [&] { be_master(simulation, workers, parts); });
  for (std::uint32_t i = 1; i <= workers; ++i)
    simulation.add_actor("worker", hosts[i], [&, i] { be_worker(simulation, i); });
  std::cout << simulation.run().text();
  const sim::CodeUse use = simulation.code_use();
  if (argc > 1) std::cout << use.runs_by_threads << " of " << use.runs << " parts by other threads\n";
}
