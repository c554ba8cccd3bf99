// SPDX-License-Identifier: MIT
//
// Two-phase commit: a coordinator asks its participants to prepare a transaction, collects their votes, and sends the
// decision. It commits only if all voted yes. One participant votes no. With the argument `optimistic` the coordinator
// decides at the first vote. In simulated time the refusal comes first.
//
// Source: Gray, Notes on data base operating systems, 1978.
// Usage:  PROGRAM [PARTICIPANTS] [REFUSING] [optimistic]    (REFUSING: the number of the participant that votes no)
// Prints:
//   participant 0 aborts
//   participant 1 aborts
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr double bytes = 100;

struct Transaction {
  std::size_t participants = 2, refusing = 0;
  bool is_optimistic = false;
  sim::Simulation* simulation = nullptr;

  sim::Mailbox& coordinator() { return simulation->mailbox("coordinator"); }
  sim::Mailbox& of(std::size_t participant) {
    return simulation->mailbox("participant " + std::to_string(participant));
  }
};

void coordinate(Transaction& transaction) {
  for (std::size_t i = 0; i < transaction.participants; ++i) transaction.of(i).put_detached(true, bytes);
  bool commits = true;
  for (std::size_t i = 0; i < transaction.participants; ++i) {
    commits = transaction.coordinator().get<bool>() && commits;
    if (transaction.is_optimistic) break;
  }
  for (std::size_t i = 0; i < transaction.participants; ++i) transaction.of(i).put_detached(commits, bytes);
}

void participate(Transaction& transaction, std::size_t self) {
  (void)transaction.of(self).get<bool>();
  const bool votes_yes = self != transaction.refusing;
  transaction.coordinator().put_detached(votes_yes, bytes);
  const bool commits = transaction.of(self).get<bool>();
  assert(votes_yes || !commits);  // nobody commits what it has refused
  std::cout << "participant " << self << (commits ? " commits" : " aborts") << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  Transaction transaction;
  if (argc > 1) transaction.participants = std::strtoul(argv[1], nullptr, 10);
  if (argc > 2) transaction.refusing = std::strtoul(argv[2], nullptr, 10);
  transaction.is_optimistic = argc > 3 && std::string(argv[3]) == "optimistic";
  auto platform = rehearse::make_platform("cluster:" + std::to_string(transaction.participants + 1));
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  transaction.simulation = &simulation;
  const auto hosts = simulation.hosts();
  simulation.add_actor("coordinator", hosts.back(), [&] { coordinate(transaction); });
  for (std::size_t i = 0; i < transaction.participants; ++i)
    simulation.add_actor("participant " + std::to_string(i), hosts[i], [&, i] { participate(transaction, i); });
  std::cout << simulation.run().text();
}
