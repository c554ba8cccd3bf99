// SPDX-License-Identifier: MIT
//
// The same actors without time: every order of what their scheduler may do, by brute force.
#include "simcore/actor_program.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"
#include "tests/support/actor_platform.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace actor = rehearse::sim::this_actor;

namespace {

struct Explored {
  std::set<std::string> endings;  // "end", or the id of the failure
  std::size_t executions = 0;
};

// Depth first over all choices, each execution from its beginning.
Explored explore_all(ActorProgram& program) {
  Explored result;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path;  // taken, of how many
  const ActorId group{0};
  while (true) {
    program.restart(group);
    std::size_t depth = 0;
    while (const auto* choose = std::get_if<Choose>(&program.next(group))) {
      if (depth == path.size()) path.emplace_back(0, choose->count);
      REQUIRE(path[depth].second == choose->count);  // or it is not deterministic
      Completion completion;
      completion.index = path[depth++].first;
      Observation observation;
      observation.completions = {&completion, 1};
      program.resume(group, observation);
    }
    const auto* failure = std::get_if<Fail>(&program.next(group));
    result.endings.insert(failure != nullptr ? std::string(failure->id) : "end");
    ++result.executions;
    while (!path.empty() && path.back().first + 1 == path.back().second) path.pop_back();
    if (path.empty()) return result;
    ++path.back().first;
  }
}

}  // namespace

TEST_CASE("actor program: messages of two senders are received in both orders", "[simcore][actors]") {
  const Platform platform = actor_platform();
  std::set<std::string> orders;
  ActorProgram program(platform, [&](sim::Simulation& simulation) {
    auto& box = simulation.mailbox("m");
    for (const char name : {'a', 'b'})
      simulation.add_actor(std::string(1, name), simulation.host("alpha"), [&box, name] { box.put(name, 1); });
    simulation.add_actor("r", simulation.host("gamma"), [&box, &orders] {
      std::string order;
      order += box.get<char>();
      order += box.get<char>();
      orders.insert(order);
    });
  });
  const Explored explored = explore_all(program);
  CHECK(explored.endings == std::set<std::string>{"end"});
  CHECK(orders == std::set<std::string>{"ab", "ba"});
}

TEST_CASE("actor program: locks taken in opposite orders deadlock in some executions only", "[simcore][actors]") {
  const Platform platform = actor_platform();
  ActorProgram program(platform, [](sim::Simulation& simulation) {
    struct Locks {
      sim::Mutex first, second;
    };
    const auto locks = std::make_shared<Locks>();
    simulation.add_actor("a", simulation.host("alpha"), [locks] {
      const std::scoped_lock one(locks->first);
      const std::scoped_lock two(locks->second);
    });
    simulation.add_actor("b", simulation.host("alpha"), [locks] {
      const std::scoped_lock two(locks->second);
      const std::scoped_lock one(locks->first);
    });
  });
  CHECK(explore_all(program).endings == std::set<std::string>{"deadlock.actors", "end"});
  program.restart(ActorId{0});
  CHECK(program.describe(ActorId{0}).call == "choose: actor 'a' goes on; actor 'b' goes on");
}

TEST_CASE("actor program: a lost update shows as an exception in some execution", "[simcore][actors]") {
  const Platform platform = actor_platform();
  const bool locked = GENERATE(true, false);
  ActorProgram program(platform, [locked](sim::Simulation& simulation) {
    struct Shared {
      sim::Mutex mutex;
      int value = 0;
      int done = 0;
    };
    const auto shared = std::make_shared<Shared>();
    for (int i = 0; i < 2; ++i)
      simulation.add_actor("adder", simulation.host("alpha"), [shared, locked] {
        if (locked) shared->mutex.lock();
        const int seen = shared->value;
        actor::execute(1e9);
        shared->value = seen + 1;
        if (locked) shared->mutex.unlock();
        if (++shared->done == 2 && shared->value != 2) throw std::runtime_error("an update was lost");
      });
  });
  const auto endings = explore_all(program).endings;
  CHECK(endings.contains("crash.exception") == !locked);
  CHECK(endings.contains("end"));
}

TEST_CASE("actor program: a timeout comes in some executions only", "[simcore][actors]") {
  const Platform platform = actor_platform();
  std::set<std::string> seen;
  ActorProgram program(platform, [&](sim::Simulation& simulation) {
    auto& queue = simulation.message_queue("q");
    simulation.add_actor("r", simulation.host("alpha"), [&queue, &seen] {
      try {
        queue.get<int>(5);
        seen.insert("message");
      } catch (const sim::TimeoutError&) {
        seen.insert("timeout");
      }
    });
    simulation.add_actor("s", simulation.host("alpha"), [&queue] { queue.put_detached(1); });
  });
  CHECK(explore_all(program).endings == std::set<std::string>{"end"});
  CHECK(seen == std::set<std::string>{"message", "timeout"});
}
