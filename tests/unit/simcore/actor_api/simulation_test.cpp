// SPDX-License-Identifier: MIT
//
// Actors in simulated time: the basics.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"
#include "tests/support/actor_platform.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace actor = rehearse::sim::this_actor;

TEST_CASE("simulation: a sleep takes its duration, and an execution takes its flops", "[simcore][actors]") {
  PlainSimulation simulation;
  std::vector<double> dates;
  simulation.add_actor("a", simulation.host("alpha"), [&] {
    actor::sleep_for(1.5);
    dates.push_back(actor::now());
    actor::execute(2e9);
    dates.push_back(actor::now());
  });
  const auto report = simulation.run();
  CHECK(dates == std::vector<double>{1.5, 3.5});
  CHECK(report.end == 3.5);
  CHECK(report.text() == "");
}

TEST_CASE("simulation: a message takes latency and bandwidth, and both ends wait for it", "[simcore][actors]") {
  PlainSimulation simulation;
  double sent = 0, received = 0;
  std::string text;
  simulation.add_actor("sender", simulation.host("alpha"), [&] {
    simulation.mailbox("box").put(std::string("hello"), 1e6);
    sent = actor::now();
  });
  simulation.add_actor("receiver", simulation.host("beta"), [&] {
    text = simulation.mailbox("box").get<std::string>();
    received = actor::now();
  });
  simulation.run();
  CHECK(text == "hello");
  CHECK(sent == Approx(1.001).epsilon(1e-12));
  CHECK(received == sent);
}

TEST_CASE("simulation: a deadlock is reported with the wait of each actor", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Mutex mutex;
  simulation.add_actor("reader", simulation.host("alpha"), [&] { simulation.mailbox("box").get<int>(); });
  simulation.add_actor("writer", simulation.host("beta"), [&] { simulation.mailbox("other").put(1, 1); });
  simulation.add_actor("keeper", simulation.host("beta"), [&] { mutex.lock(); });
  simulation.add_actor("locker", simulation.host("beta"), [&] {
    actor::sleep_for(1);
    mutex.lock();
  });
  const auto report = simulation.run();
  CHECK(report.is_deadlock());
  CHECK(report.end == 1);
  CHECK(report.text() == "actor 'reader' on 'alpha' waits for a message in mailbox 'box'\n"
                         "actor 'writer' on 'beta' waits for a receiver at mailbox 'other'\n"
                         "actor 'locker' on 'beta' waits for a mutex held by 'keeper', which has ended\n");
}

TEST_CASE("simulation: an exception ends its actor and is reported", "[simcore][actors]") {
  PlainSimulation simulation;
  simulation.add_actor("bad", simulation.host("alpha"), [&] {
    actor::sleep_for(2);
    throw std::runtime_error("no more");
  });
  simulation.add_actor("good", simulation.host("alpha"), [&] { actor::sleep_for(5); });
  const auto report = simulation.run();
  CHECK(report.end == 5);
  CHECK(report.text() == "actor 'bad' on 'alpha' failed at 2.000000: no more\n");
}

TEST_CASE("simulation: two simulations can run alternately", "[simcore][actors]") {
  PlainSimulation first, second;
  std::string log;
  for (sim::Simulation* simulation : {&first, &second})
    simulation->add_actor("a", simulation->host("alpha"), [&log, simulation, &first] {
      for (int i = 0; i < 3; ++i) {
        actor::sleep_for(1);
        log += simulation == &first ? 'a' : 'b';
        CHECK(&actor::simulation() == simulation);
      }
    });
  for (int date = 1; date <= 3; ++date) {
    first.run_until(date);
    second.run_until(date);
  }
  CHECK(log == "ababab");
  CHECK(first.now() == 3);
}

TEST_CASE("simulation: the same program gives the same trace twice", "[simcore][actors]") {
  const auto trace = [] {
    const Platform platform = actor_platform();
    sim::Simulation simulation(platform);
    std::string log;
    auto& box = simulation.mailbox("m");
    for (int i = 0; i < 20; ++i) {
      simulation.add_actor("s" + std::to_string(i), simulation.host(i % 2 == 0 ? "beta" : "gamma"), [&box, i] {
        actor::sleep_for(i % 3);
        box.put(i, 1000.0 * (i % 5));
      });
    }
    simulation.add_actor("r", simulation.host("alpha"), [&] {
      for (int i = 0; i < 20; ++i) log += std::to_string(box.get<int>()) + "@" + std::to_string(actor::now()) + " ";
    });
    CHECK(simulation.run().text() == "");
    return log;
  };
  CHECK(trace() == trace());
}

TEST_CASE("simulation: no actor remains after a run, not even one that a dying actor creates", "[simcore][actors]") {
  PlainSimulation simulation;
  int ended = 0;
  simulation.on_actor_end([&](const sim::ActorHandle&) { ++ended; });
  for (int i = 0; i < 10; ++i) {
    auto blocked =
        simulation.add_actor("blocked", simulation.host("alpha"), [&] { simulation.mailbox("m").get<int>(); });
    blocked.on_exit([&](bool) {
      simulation.add_actor("heir", simulation.host("beta"), [&] { simulation.mailbox("m").get<int>(); });
    });
  }
  CHECK(simulation.run().blocked.size() == 10);
  CHECK(simulation.actors().empty());
  CHECK(ended == 20);
}

TEST_CASE("simulation: an actor whose host is off at its start starts with the host, or never", "[simcore][actors]") {
  PlainSimulation simulation;
  double started = 0;
  const auto note = [&] { started = actor::now(); };
  simulation.add_actor("waits", simulation.host("beta"), note, {.start_time = 2, .auto_restart = true});
  simulation.add_actor("never", simulation.host("beta"), note, {.start_time = 2});
  simulation.add_actor("switch", simulation.host("alpha"), [&] {
    simulation.host("beta").turn_off();
    actor::sleep_for(5);
    simulation.host("beta").turn_on();
  });
  CHECK(simulation.run().text() == "actor 'never' on 'beta' failed at 2.000000: not started: its host is off\n");
  CHECK(started == 5);
}

TEST_CASE("simulation: a thousand unwound stacks are reused", "[simcore][actors]") {
  PlainSimulation simulation;
  int unwound = 0;
  struct Count {
    int& count;
    ~Count() { ++count; }
  };
  simulation.add_actor("boss", simulation.host("alpha"), [&] {
    for (int round = 0; round < 3; ++round) {
      std::vector<sim::ActorHandle> actors;
      for (int i = 0; i < 2000; ++i)
        actors.push_back(simulation.add_actor("a", simulation.host("beta"), [&unwound] {
          const Count count{unwound};
          actor::sleep_for(1000);
        }));
      actor::sleep_for(1);
      for (const auto& one : actors) one.kill();
      actor::sleep_for(1);
    }
  });
  CHECK(simulation.run().text() == "");
  CHECK(unwound == 6000);
}
