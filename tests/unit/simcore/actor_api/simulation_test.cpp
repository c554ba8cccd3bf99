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

TEST_CASE("simulation: a sleep and an execution take the time they say", "[simcore][actors]") {
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

TEST_CASE("simulation: a deadlock is reported with what each actor waits for", "[simcore][actors]") {
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
  CHECK(report.text() ==
        "actor 'reader' on 'alpha' waits for a message in mailbox 'box'\n"
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

TEST_CASE("simulation: two of them can be run in turns", "[simcore][actors]") {
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
