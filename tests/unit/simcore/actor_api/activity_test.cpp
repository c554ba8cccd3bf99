// SPDX-License-Identifier: MIT
//
// Activities: their lives, what depends on what, and sets of them.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"
#include "tests/support/actor_platform.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace actor = rehearse::sim::this_actor;

TEST_CASE("activities: wait_for returns whether an activity ended in time, and the activity continues",
          "[simcore][actors]") {
  PlainSimulation simulation;
  simulation.add_actor("a", simulation.host("alpha"), [&] {
    const sim::Exec exec = actor::exec_async(3e9);
    CHECK_FALSE(exec.wait_for(1));
    CHECK(exec.remaining() == Approx(2e9));
    CHECK_FALSE(exec.wait_until(2));
    CHECK_FALSE(exec.test());
    CHECK(exec.wait_for(5));
    CHECK(actor::now() == 3);
    CHECK(exec.test());
    CHECK(exec.start_time() == 0);
    CHECK(exec.finish_time() == 3);
    CHECK_THROWS_AS(actor::exec_async(3e9).wait_for_or_cancel(1), sim::TimeoutError);
  });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("activities: actors that wait for a cancelled activity get CancelError", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Exec exec;
  simulation.add_actor("a", simulation.host("alpha"), [&] {
    exec = actor::exec_async(3e9);
    CHECK_THROWS_AS(exec.wait(), sim::CancelError);
    CHECK(actor::now() == 1);
  });
  simulation.add_actor("b", simulation.host("alpha"), [&] {
    actor::sleep_for(1);
    exec.cancel();
    CHECK(exec.state() == sim::ActivityState::canceled);
  });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("activities: a suspended activity makes no progress", "[simcore][actors]") {
  PlainSimulation simulation;
  simulation.add_actor("a", simulation.host("alpha"), [&] {
    const sim::Exec exec = actor::exec_async(2e9);
    const sim::Sleep pause = actor::sleep_async(3);
    actor::sleep_for(1);
    exec.suspend();
    pause.suspend();
    actor::sleep_for(5);
    CHECK(exec.remaining() == Approx(1e9));
    CHECK(pause.remaining() == Approx(2));
    exec.resume();
    pause.resume();
    exec.wait();
    CHECK(actor::now() == 7);
    pause.wait();
    CHECK(actor::now() == 8);
  });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("activities: an activity starts when its predecessors have finished and its host is known",
          "[simcore][actors]") {
  PlainSimulation simulation;
  const sim::Exec first = simulation.exec_init(1e9).set_host(simulation.host("alpha"));
  const sim::Exec second = simulation.exec_init(2e9).set_host(simulation.host("beta"));
  const sim::Exec last = simulation.exec_init(1e9);
  const sim::Comm transfer = simulation.comm_init(1e6);
  first.add_successor(transfer);
  transfer.add_successor(last);
  second.add_successor(last);
  CHECK_THROWS_WITH(last.add_successor(first), "the dependencies of activities form a cycle");
  last.on_start([&](const sim::Activity& activity) { CHECK(activity == last); });
  first.on_completion([&](const sim::Activity&) { last.set_host(simulation.host("beta")); });
  first.start();
  second.start();
  CHECK(simulation.run().end == Approx(3.001).epsilon(1e-9));
  CHECK(transfer.start_time() == 1);
  CHECK(transfer.source().name() == "alpha");
  CHECK(transfer.destination().name() == "beta");
  CHECK(last.start_time() == Approx(2.001).epsilon(1e-9));
}

TEST_CASE("activities: a failed activity can be moved and started again", "[simcore][actors]") {
  PlainSimulation simulation;
  const sim::Exec exec = simulation.exec_init(3e9).set_host(simulation.host("alpha"));
  const sim::Exec after = simulation.exec_init(1e9).set_host(simulation.host("gamma"));
  exec.add_successor(after);
  int failures = 0;
  exec.on_completion([&](const sim::Activity& activity) {
    if (activity.state() != sim::ActivityState::failed) return;
    ++failures;
    exec.set_host(simulation.host("beta")).start();
  });
  exec.start();
  simulation.add_actor("breaker", simulation.host("gamma"), [&] {
    actor::sleep_for(2);
    simulation.host("alpha").turn_off();
  });
  CHECK(simulation.run().end == 6);
  CHECK(failures == 1);
  CHECK(after.state() == sim::ActivityState::finished);
}

TEST_CASE("sets: wait_any gives activities in the order in which they end", "[simcore][actors]") {
  PlainSimulation simulation;
  std::vector<std::string> names;
  simulation.add_actor("a", simulation.host("alpha"), [&] {
    sim::ActivitySet set;
    for (const double seconds : {3.0, 1.0, 2.0})
      set.push(actor::exec_init(seconds * 1e9).set_name(std::to_string(static_cast<int>(seconds))).start());
    CHECK_FALSE(set.test_any());
    while (!set.empty()) names.push_back(set.wait_any().name());
    CHECK(actor::now() == 3);
    CHECK_THROWS_AS(set.wait_any(), sim::BadUse);
  });
  CHECK(simulation.run().text() == "");
  CHECK(names == std::vector<std::string>{"1", "2", "3"});
}

TEST_CASE("sets: after a timeout, the set contains the activities that have not ended", "[simcore][actors]") {
  PlainSimulation simulation;
  simulation.add_actor("a", simulation.host("alpha"), [&] {
    sim::ActivitySet set{actor::exec_async(1e9), actor::sleep_async(2), actor::exec_async(5e9)};
    CHECK_THROWS_AS(set.wait_all_for(3), sim::TimeoutError);
    CHECK(actor::now() == 3);
    CHECK(set.size() == 1);
    CHECK_THROWS_AS(set.wait_any_for(1), sim::TimeoutError);
    set.wait_all();
    CHECK(actor::now() == 5);
    CHECK(set.empty());
  });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("sets: the failure of an activity is thrown, and the set still names the activity", "[simcore][actors]") {
  PlainSimulation simulation;
  simulation.add_actor("a", simulation.host("alpha"), [&] {
    const sim::Exec exec = simulation.host("beta").exec_async(9e9);
    sim::ActivitySet set{exec, actor::exec_async(5e9)};
    CHECK_THROWS_AS(set.wait_any(), sim::HostFailure);
    CHECK(actor::now() == 2);
    CHECK(set.has_failed_activity());
    CHECK(set.failed_activity() == exec);
    CHECK(set.size() == 1);
    set.wait_all();
  });
  simulation.add_actor("breaker", simulation.host("gamma"), [&] {
    actor::sleep_for(2);
    simulation.host("beta").turn_off();
  });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("activities: the activities that an actor started continue after its end", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Exec exec;
  simulation.add_actor("a", simulation.host("alpha"), [&] { exec = actor::exec_async(3e9); });
  CHECK(simulation.run().end == 3);
  CHECK(exec.state() == sim::ActivityState::finished);
}

TEST_CASE("activities: disk accesses, streams and empty computations take their expected times", "[simcore][actors]") {
  const Platform platform = actor_platform();
  sim::SimulationOptions options;
  options.models.network = "raw";
  sim::Simulation simulation(platform, options);
  simulation.add_actor("a", simulation.host("alpha"), [&] {
    const sim::DiskRef disk = actor::host().disk("disk");
    disk.read(200e6);
    CHECK(actor::now() == Approx(2));
    disk.write(40e6);
    CHECK(actor::now() == Approx(3));
    sim::Io::stream(actor::host(), disk, simulation.host("gamma"), {}, 10e6);
    CHECK(actor::now() == Approx(4));
    actor::execute(0);
    CHECK(actor::now() == Approx(4));
    actor::parallel_execute({simulation.host("alpha"), simulation.host("gamma")}, {1e9, 2e9}, {});
    CHECK(actor::now() == Approx(6));
    CHECK_THROWS_AS(actor::host().disk("none"), sim::BadUse);
  });
  CHECK(simulation.run().text() == "");
}
