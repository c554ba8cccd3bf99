// SPDX-License-Identifier: MIT
//
// Programs of actors that share objects, for tests of explorers: the observations of the actors, and all orders of
// their steps by brute force.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"
#include "simcore/actor_program.hpp"

namespace rehearse::tests {

// The observations of the actors of one execution; a new object for each execution.
struct Observed {
  std::vector<std::string> by_actor;
};

// A group whose actors note what they observe. `setup` adds actors that write to the Observed that is passed to it.
class WatchedGroup final : public Program {
 public:
  using Setup = std::function<void(sim::Simulation&, std::shared_ptr<Observed>)>;

  WatchedGroup(const Platform& platform, Setup setup);

  // For each complete execution: the observations of each actor, and its end.
  const std::set<std::string>& endings() const { return endings_; }

  std::uint32_t actor_count() const override { return 1; }
  const Operation& next(ActorId actor) override { return program_.next(actor); }
  Ways ways(ActorId actor) override { return program_.ways(actor); }
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override { program_.restart(actor); }
  std::unique_ptr<Snapshot> save(ActorId) override { return nullptr; }
  void restore(ActorId actor, const Snapshot& snapshot) override { program_.restore(actor, snapshot); }
  CallDescription describe(ActorId actor) override { return program_.describe(actor); }

 private:
  std::shared_ptr<Observed> observed_;
  ActorProgram program_;
  std::set<std::string> endings_;
};

struct AllOrders {
  std::size_t interleavings = 0;
  std::set<std::string> orders;  // orders of dependent steps, one text for all equivalent interleavings
  bool is_complete = true;       // false: there are more interleavings than the limit
};

// Every interleaving, each run from its start.
AllOrders all_orders(Program& group, std::size_t interleavings_max);

// Two or three actors that do a few random things to mutexes, a semaphore, a condition variable, a barrier and
// variables.
struct GroupShape {
  std::uint32_t actors = 2;
  std::uint32_t steps = 3;  // maximum for each actor
  bool locks = true, semaphores = true, conditions = true, barriers = true, variables = true;
  bool timeouts = false, failures = false;
};
WatchedGroup::Setup random_group(std::uint64_t seed, const GroupShape& shape);

}  // namespace rehearse::tests
