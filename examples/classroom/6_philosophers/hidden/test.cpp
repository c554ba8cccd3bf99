// SPDX-License-Identifier: MIT
//
// Philosophers at a table. `check SEATS` explores every order in which they could act. `time SEATS` prints how long the
// meal takes. Each eats once, for a second.
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "simcore/actor_api.hpp"
#include "simcore/actor_program.hpp"

namespace sim = rehearse::sim;

void dine(int seat, int seats, sim::Mutex& left, sim::Mutex& right, sim::Mutex& waiter, void (*eat)());

namespace {

struct Table {
  explicit Table(int seats) : forks(seats), fork_users(seats), seats(seats) {}
  std::vector<sim::Mutex> forks;
  sim::Mutex waiter;
  std::vector<sim::SharedVariable<int>> fork_users;
  int seats;
};

// The table of the actor that eats now. An actor's name is its seat.
thread_local Table* table = nullptr;

void use_fork(int fork, int change) {
  const int before = table->fork_users[fork].fetch_add(change);
  if (change > 0 && before != 0) throw std::runtime_error("two philosophers eat with the same fork");
}

void eat() {
  const int seat = std::stoi(sim::this_actor::name());
  use_fork(seat, 1);
  use_fork((seat + 1) % table->seats, 1);
  sim::this_actor::sleep_for(1);
  use_fork(seat, -1);
  use_fork((seat + 1) % table->seats, -1);
}

void set(sim::Simulation& simulation, int seats) {
  auto shared = std::make_shared<Table>(seats);
  table = shared.get();
  for (int seat = 0; seat < seats; ++seat) {
    simulation.add_actor(std::to_string(seat), simulation.host(rehearse::HostId{0}), [shared, seat, seats] {
      dine(seat, seats, shared->forks[seat], shared->forks[(seat + 1) % seats], shared->waiter, eat);
    });
  }
}

std::vector<rehearse::Finding> judge(const rehearse::Outcome& outcome, const rehearse::Describe&) {
  std::vector<rehearse::Finding> findings;
  for (const rehearse::ActorOutcome& actor : outcome.actors) {
    if (actor.state != rehearse::ActorOutcome::State::failed) continue;
    rehearse::Finding& finding = findings.emplace_back();
    finding.id = actor.id;
    finding.message = actor.what;
  }
  return findings;
}

int check(const rehearse::Platform& platform, int seats) {
  rehearse::ActorProgram program(platform, [seats](sim::Simulation& simulation) { set(simulation, seats); });
  rehearse::mc::ExploreOptions options;
  options.strategy.reduction = rehearse::mc::Reduction::odpor;
  options.bounds.max_executions = 100000;
  const auto verdict = rehearse::mc::explore(program, options, judge);
  if (!verdict.findings.empty()) {
    std::cout << "violation: " << verdict.findings[0].id << ": " << verdict.findings[0].message << "\n";
    return 1;
  }
  std::cout << (verdict.exhaustive ? "verified" : "inconclusive") << "\n";
  return verdict.exhaustive ? 0 : 3;
}

int time(const rehearse::Platform& platform, int seats) {
  sim::Simulation simulation(platform);
  set(simulation, seats);
  const auto report = simulation.run();
  std::cout << report.text();
  if (report.text().empty()) std::cout << "all have eaten after " << report.end << " s\n";
  return report.text().empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  auto platform = rehearse::make_platform("laptop");
  if (argc != 3 || !platform) return 2;
  const int seats = std::stoi(argv[2]);
  return std::string(argv[1]) == "check" ? check(platform.value(), seats) : time(platform.value(), seats);
}
