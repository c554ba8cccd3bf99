// SPDX-License-Identifier: MIT
//
// Programs of the actor API, which run in simulated time, are explored unchanged: every order in which their actors
// could act is visited, and what is found replays.
#include "simcore/actor_program.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "mc/explore.hpp"
#include "properties/judge.hpp"
#include "simcore/actor_api.hpp"
#include "simcore/engine.hpp"
#include "simcore/platform_builder.hpp"
#include "simcore/profile.hpp"

using namespace rehearse;
namespace this_actor = rehearse::sim::this_actor;

namespace {

using Setup = std::function<void(sim::Simulation&)>;

const Platform& platform() {
  static Result<Platform> made = make_platform("cluster:4");
  return made.value();
}

mc::Verdict explored(const Setup& setup, mc::Reduction reduction = mc::Reduction::matching) {
  ActorProgram program(platform(), setup);
  mc::ExploreOptions options;
  options.strategy.reduction = reduction;
  options.bounds.all_findings = true;
  return mc::explore(program, options, [](const Outcome& outcome, const Describe& describe) {
    return properties::judge_failures(outcome, describe);
  });
}

sim::RunReport timed(const Setup& setup) {
  sim::Simulation simulation(platform());
  setup(simulation);
  return simulation.run();
}

void add(sim::Simulation& simulation, const std::string& name, std::function<void()> function) {
  simulation.add_actor(name, simulation.host(HostId{0}), std::move(function));
}

struct TwoLocks {
  sim::Mutex first, second;
};

void crossed_locks(sim::Simulation& simulation) {
  const auto locks = std::make_shared<TwoLocks>();
  add(simulation, "left", [locks] {
    locks->first.lock();
    locks->second.lock();
    locks->second.unlock();
    locks->first.unlock();
  });
  add(simulation, "right", [locks] {
    locks->second.lock();
    locks->first.lock();
    locks->first.unlock();
    locks->second.unlock();
  });
}

}  // namespace

TEST_CASE("actor program: locks taken in opposite orders end well in time and deadlock in some execution", "[mc]") {
  CHECK(timed(crossed_locks).text().empty());
  const mc::Verdict verdict = explored(crossed_locks);
  CHECK(verdict.exhaustive);
  CHECK(verdict.executions > 1);
  REQUIRE(verdict.findings.size() == 1);
  const Finding& finding = verdict.findings.front();
  CHECK(finding.id == "deadlock.actors");
  CHECK(finding.message.find("left") != std::string::npos);
  CHECK(finding.message.find("a mutex held by 'left'") != std::string::npos);

  ActorProgram again(platform(), crossed_locks);
  EngineOptions options;
  options.forced = finding.witness.schedule;
  auto costs = make_cost_model({}, platform());
  Engine engine(again, platform(), std::move(costs.value()), options);
  const RunResult replayed = engine.run().value();
  CHECK(replayed.unused_decisions == 0);
  CHECK(replayed.outcome.actors[0].id == "deadlock.actors");
  CHECK(finding.message.find(replayed.outcome.actors[0].what) != std::string::npos);
}

TEST_CASE("actor program: locks taken in the same order never deadlock", "[mc]") {
  const mc::Verdict verdict = explored([](sim::Simulation& simulation) {
    const auto locks = std::make_shared<TwoLocks>();
    for (const char* name : {"left", "right"})
      add(simulation, name, [locks] {
        locks->first.lock();
        locks->second.lock();
        locks->second.unlock();
        locks->first.unlock();
      });
  });
  CHECK(verdict.exhaustive);
  CHECK(verdict.findings.empty());
}

TEST_CASE("actor program: messages of several senders are received in every order", "[mc]") {
  const auto orders = std::make_shared<std::set<std::string>>();
  const auto setup = [orders](sim::Simulation& simulation) {
    for (const std::string name : {"a", "b"})
      add(simulation, name, [&simulation, name] { simulation.mailbox("box").put_detached(name, 10); });
    add(simulation, "receiver", [&simulation, orders] {
      std::string order;
      for (int i = 0; i < 2; ++i) order += simulation.mailbox("box").get<std::string>();
      orders->insert(order);
    });
  };
  CHECK(timed(setup).text().empty());
  CHECK(orders->size() == 1);
  const mc::Verdict verdict = explored(setup);
  CHECK(verdict.findings.empty());
  CHECK(*orders == std::set<std::string>{"ab", "ba"});
}

TEST_CASE("actor program: a notification that comes too early is missed in some execution", "[mc]") {
  struct Shared {
    sim::Mutex mutex;
    sim::ConditionVariable changed;
    bool done = false;
  };
  const auto program = [](bool looks_first) {
    return [looks_first](sim::Simulation& simulation) {
      const auto shared = std::make_shared<Shared>();
      add(simulation, "waiter", [shared, looks_first] {
        std::unique_lock lock(shared->mutex);
        if (looks_first) shared->changed.wait(lock, [&] { return shared->done; });
        else shared->changed.wait(lock);
      });
      add(simulation, "notifier", [shared] {
        std::unique_lock lock(shared->mutex);
        shared->done = true;
        shared->changed.notify_one();
      });
    };
  };
  CHECK(explored(program(true)).findings.empty());
  const mc::Verdict verdict = explored(program(false));
  REQUIRE(verdict.findings.size() == 1);
  CHECK(verdict.findings[0].id == "deadlock.actors");
  CHECK(verdict.findings[0].message.find("a condition variable") != std::string::npos);
}

TEST_CASE("actor program: a timeout can come before the message and after it", "[mc]") {
  const auto ends = std::make_shared<std::set<std::string>>();
  const mc::Verdict verdict = explored([ends](sim::Simulation& simulation) {
    add(simulation, "sender", [&simulation] { simulation.mailbox("box").put_detached(1, 10); });
    add(simulation, "receiver", [&simulation, ends] {
      try {
        (void)simulation.mailbox("box").get<int>(1.0);
        ends->insert("message");
      } catch (const sim::TimeoutError&) {
        ends->insert("timeout");
      }
    });
  });
  CHECK(verdict.exhaustive);
  CHECK(*ends == std::set<std::string>{"message", "timeout"});
}

TEST_CASE("actor program: an uncaught exception of an actor is found if only one order leads to it", "[mc]") {
  const auto setup = [](sim::Simulation& simulation) {
    const auto balance = std::make_shared<int>(100);
    const auto turn = std::make_shared<sim::Semaphore>(1);
    const auto draw = [balance, turn](int amount) {
      turn->acquire();
      const int before = *balance;
      turn->release();  // too early: the other one may draw meanwhile
      turn->acquire();
      *balance = before - amount;
      turn->release();
    };
    add(simulation, "first", [draw] { draw(30); });
    add(simulation, "second", [draw, balance] {
      draw(50);
      if (*balance == 50) throw std::runtime_error("30 were drawn and forgotten");
    });
  };
  // In time the first one is always first, and both are between their two steps at once.
  const mc::Verdict verdict = explored(setup);
  REQUIRE(verdict.findings.size() == 1);
  CHECK(verdict.findings[0].id == "crash.exception");
  CHECK(verdict.findings[0].message.find("30 were drawn and forgotten") != std::string::npos);
}

TEST_CASE("actor program: both reductions visit the same number of executions, each time", "[mc]") {
  const mc::Verdict fast = explored(crossed_locks);
  const mc::Verdict again = explored(crossed_locks);
  const mc::Verdict slow = explored(crossed_locks, mc::Reduction::none);
  CHECK(fast.executions == slow.executions);
  CHECK(fast.executions == again.executions);
  CHECK(fast.findings[0].witness == again.findings[0].witness);
  CHECK(fast.duplicates == 0);
}

TEST_CASE("actor program: hosts that go off by their profiles make it inconclusive, by name", "[mc]") {
  PlatformBuilder builder;
  const PointId zone = builder.add_zone(builder.world(), "zone", ZoneRouting::full);
  const PointId host = builder.add_host(zone, {"host", {1e9}});
  builder.set_state_profile(host, std::make_shared<Profile>(parse_profile("0 1\n1 0\n", "inside", 1, 2).value()));
  Result<Platform> failing = builder.finish("one host that goes off");
  ActorProgram program(failing.value(), [](sim::Simulation& simulation) { add(simulation, "worker", [] {}); });
  const mc::Verdict verdict =
      mc::explore(program, {}, [](const Outcome&, const Describe&) { return std::vector<Finding>{}; });
  CHECK_FALSE(verdict.exhaustive);
  REQUIRE(verdict.reasons.size() == 1);
  CHECK(verdict.reasons[0].find("by their profiles") != std::string::npos);
}
