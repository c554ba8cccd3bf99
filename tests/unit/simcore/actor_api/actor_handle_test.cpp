// SPDX-License-Identifier: MIT
//
// What actors can do to each other and to themselves, and what hosts do to them.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"
#include "simcore/support/sanitizer.hpp"
#include "tests/support/actor_platform.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace actor = rehearse::sim::this_actor;

TEST_CASE("suspend: a computation waits; a sleep continues, and its end is noticed at the resumption",
          "[simcore][actors]") {
  PlainSimulation simulation;
  std::vector<double> dates;
  auto lazy = simulation.add_actor("lazy", simulation.host("alpha"), [&] {
    const auto note = [&] { dates.push_back(actor::now()); };
    actor::suspend();
    note();
    actor::sleep_for(10);  // from 10, suspended from 15 to 25
    note();
    actor::execute(10e9);  // from 25, suspended from 27 to 30
    note();
  });
  simulation.add_actor("master", simulation.host("beta"), [&] {
    actor::sleep_until(10);
    CHECK(lazy.is_suspended());
    lazy.resume();
    actor::sleep_until(15);
    lazy.suspend();
    actor::sleep_until(25);
    lazy.resume();
    actor::sleep_until(27);
    lazy.suspend();
    actor::sleep_until(30);
    lazy.resume();
  });
  CHECK(simulation.run().text() == "");
  CHECK(dates == std::vector<double>{10, 25, 38});
}

TEST_CASE("suspend: the end of its wait does not resume a suspended actor", "[simcore][actors]") {
  PlainSimulation simulation;
  double date = 0;
  auto reader = simulation.add_actor("reader", simulation.host("alpha"), [&] {
    simulation.message_queue("q").get<int>();
    date = actor::now();
  });
  simulation.add_actor("writer", simulation.host("alpha"), [&] {
    reader.suspend();
    simulation.message_queue("q").put_async(1);
    actor::sleep_for(2);
    reader.resume();
  });
  CHECK(simulation.run().text() == "");
  CHECK(date == 2);
}

TEST_CASE("join: waits for the end of the actor, or until its timeout", "[simcore][actors]") {
  PlainSimulation simulation;
  auto sleeper = simulation.add_actor("sleeper", simulation.host("alpha"), [] { actor::sleep_for(5); });
  simulation.add_actor("joiner", simulation.host("alpha"), [&] {
    CHECK_FALSE(sleeper.join(2));
    CHECK(actor::now() == 2);
    CHECK(sleeper.join(10));
    CHECK(actor::now() == 5);
    sleeper.join();
    CHECK(actor::now() == 5);
  });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("migration: a computation continues on the new host", "[simcore][actors]") {
  PlainSimulation simulation("<host id='slow' speed='500Mf'/>");
  double date = 0;
  auto worker = simulation.add_actor("worker", simulation.host("alpha"), [&] {
    actor::execute(2e9);
    date = actor::now();
    CHECK(actor::host().name() == "slow");
  });
  simulation.add_actor("mover", simulation.host("alpha"), [&] {
    actor::sleep_for(1);
    worker.set_host(simulation.host("slow"));
  });
  CHECK(simulation.run().text() == "");
  CHECK(date == 3);
  CHECK(simulation.host("slow").actors().empty());
}

TEST_CASE("daemons: they end with the last other actor", "[simcore][actors]") {
  PlainSimulation simulation;
  int beats = 0;
  simulation.add_actor("heart", simulation.host("alpha"),
                       [&] {
                         while (true) {
                           actor::sleep_for(1);
                           ++beats;
                         }
                       },
                       {.daemon = true});
  simulation.add_actor("main", simulation.host("alpha"), [] { actor::sleep_for(3.5); });
  const auto report = simulation.run();
  CHECK(report.end == 3.5);
  CHECK(report.text() == "");
  CHECK(beats == 3);
}

TEST_CASE("hosts: actors and activities of a host fail when it goes off, and actors restart when it comes on",
          "[simcore][actors]") {
  PlainSimulation simulation;
  std::string log;
  const auto note = [&](const std::string& text) {
    log += text + "@" + std::to_string(static_cast<int>(simulation.now())) + " ";
  };
  const sim::HostRef beta = simulation.host("beta");
  simulation.add_actor("phoenix", beta,
                       [&] {
                         note("start" + std::to_string(actor::self().restart_count()));
                         actor::on_exit([&](bool killed) { note(killed ? "killed" : "done"); });
                         actor::execute(4e9);
                       },
                       {.auto_restart = true});
  simulation.add_actor("mortal", beta, [&] {
    actor::sleep_for(100);
    note("never");
  });
  simulation.add_actor("remote", simulation.host("alpha"), [&] {
    try {
      beta.execute(100e9);
    } catch (const sim::HostFailure&) {
      note("HostFailure");
    }
  });
  simulation.add_actor("reader", simulation.host("alpha"), [&] {
    try {
      sim::Comm::sendto(simulation.host("alpha"), beta, 1e9);
    } catch (const sim::NetworkFailure&) {
      note("NetworkFailure");
    }
  });
  simulation.add_actor("breaker", simulation.host("alpha"), [&] {
    actor::sleep_for(2);
    beta.turn_off();
    CHECK_FALSE(beta.is_on());
    CHECK_THROWS_AS(beta.add_actor("late", [] {}), sim::HostFailure);
    actor::sleep_for(3);
    beta.turn_on();
  });
  CHECK(simulation.run().text() == "");
  CHECK(log == "start0@0 killed@2 HostFailure@2 NetworkFailure@2 start1@5 done@9 ");
}

TEST_CASE("hosts: an actor may turn its own host off", "[simcore][actors]") {
  PlainSimulation simulation;
  bool went_on = false, killed = false;
  simulation.add_actor("a", simulation.host("alpha"), [&] {
    actor::on_exit([&](bool k) { killed = k; });
    actor::host().turn_off();
    went_on = true;
  });
  CHECK(simulation.run().text() == "");
  CHECK(killed);
  CHECK_FALSE(went_on);
}

TEST_CASE("restart: a new actor takes the place of the old one", "[simcore][actors]") {
  PlainSimulation simulation;
  std::vector<double> dates;
  auto worker = simulation.add_actor("worker", simulation.host("alpha"), [&] {
    actor::sleep_for(3);
    dates.push_back(actor::now());
  });
  simulation.add_actor("boss", simulation.host("alpha"), [&] {
    actor::sleep_for(2);
    const auto again = worker.restart();
    CHECK(again.restart_count() == 1);
    CHECK(again.pid() != worker.pid());
  });
  CHECK(simulation.run().text() == "");
  CHECK(dates == std::vector<double>{5});
}

TEST_CASE("deployment: the actors of the platform's file get their arguments and dates", "[simcore][actors]") {
  const std::string deployed =
      "</zone><actor host='beta' function='worker' start_time='2' kill_time='7'><argument value='x'/></actor>"
      "<actor host='alpha' function='worker' on_failure='RESTART'><argument value='y'/><argument value='z'/></actor>";
  const Platform platform = actor_platform_with(deployed);
  sim::Simulation simulation(platform);
  CHECK_THROWS_WITH(simulation.deploy(), Catch::Contains("no function is registered as 'worker'"));
  std::string log;
  simulation.register_function("worker", [&](const std::vector<std::string>& arguments) {
    log += actor::host().name() + "@" + std::to_string(static_cast<int>(actor::now()));
    for (const auto& argument : arguments) log += " " + argument;
    log += "; ";
    actor::sleep_for(100);
  });
  simulation.deploy();
  CHECK(simulation.run().end == 100);
  CHECK(log == "alpha@0 y z; beta@2 x; ");
}

TEST_CASE("stacks: a stack that is too small is an error of its actor only", "[simcore][actors]") {
  if (sanitized) return;  // frames are several times as large then
  PlainSimulation simulation;
  struct Recursion {
    static int go(int depth) {
      volatile char waste[1024] = {};
      waste[0] = static_cast<char>(depth);
      if (depth == 0) {
        actor::sleep_for(1);
        return waste[0];
      }
      return go(depth - 1) + waste[0];
    }
  };
  bool fits = false;
  simulation.add_actor("deep", simulation.host("alpha"), [] { Recursion::go(70); }, {.stack_bytes = 64 << 10});
  simulation.add_actor("fits", simulation.host("alpha"),
                       [&] {
                         Recursion::go(40);
                         fits = true;
                       },
                       {.stack_bytes = 64 << 10});
  const auto report = simulation.run();
  CHECK(fits);
  REQUIRE(report.failed.size() == 1);
  CHECK(report.failed[0].what ==
        "the stack of actor 'deep' is too small: it has 65536 bytes; ActorOptions::stack_bytes gives it more");
}
