// SPDX-License-Identifier: MIT
//
// Timing of graphs of tasks: computations and transfers that wait for each other, without any actor.
#include "tests/timing/scene.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace this_actor = rehearse::sim::this_actor;

TEST_CASE("timing 110: a task waits for both parents, which share a host: 2, 3 and 4 s", "[timing]") {
  Scene scene("seven_hosts");
  const auto fafard = scene->host("Fafard");
  const auto first = scene->exec_init(fafard.speed()), second = scene->exec_init(2 * fafard.speed());
  const auto child = scene->exec_init(fafard.speed());
  first.add_successor(child);
  second.add_successor(child);
  first.set_host(fafard).start();
  second.set_host(fafard).start();
  child.start();
  second.on_completion([&](const sim::Activity&) { child.set_host(fafard); });
  CHECK_THAT(scene.run(), Printed(4));
  CHECK_THAT(first.finish_time(), Printed(2));
  CHECK_THAT(second.finish_time(), Printed(3));
  CHECK_THAT(child.start_time(), Printed(3));
  CHECK_THAT(child.finish_time(), Printed(4));
}

TEST_CASE("timing 110: a task that is given a host at 10 s ends at 11 s", "[timing]") {
  Scene scene("seven_hosts");
  const auto task = scene->exec_init(scene->host("Fafard").speed());
  task.start();
  scene.actor("Fafard", [&] {
    this_actor::sleep_for(10);
    task.set_host(this_actor::host());
    task.wait();
    scene.note();
  });
  CHECK_THAT(scene.run(), Printed(11));
  CHECK_THAT(scene.dates(), AllPrinted({11}));
}

TEST_CASE("timing 113: the same graph put together by hand has the same dates", "[timing]") {
  Scene scene("seven_hosts");
  const auto tremblay = scene->host("Tremblay"), jupiter = scene->host("Jupiter");
  const auto c1 = scene->exec_init(1e9), c2 = scene->exec_init(5e9), c3 = scene->exec_init(2e9);
  const auto t1 = scene->comm_init(5e8);
  c1.add_successor(t1);
  t1.add_successor(c3);
  c2.add_successor(c3);
  c1.set_host(tremblay).start();
  c2.set_host(jupiter).start();
  c3.set_host(jupiter);
  t1.set_source(tremblay).set_destination(jupiter);
  scene.run();
  CHECK_THAT(c1.finish_time(), Printed(10.194200));
  CHECK_THAT(c2.finish_time(), Printed(65.534235));
  CHECK_THAT(t1.finish_time(), Printed(85.283378));
  CHECK_THAT(c3.finish_time(), Printed(111.497072));
}

TEST_CASE("timing 115: a computation, a transfer and a computation, fired twice: 10.194200 ... 37.928311 s",
          "[timing]") {
  Scene scene("seven_hosts");
  const auto tremblay = scene->host("Tremblay"), jupiter = scene->host("Jupiter");
  std::vector<sim::Exec> before, after;
  std::vector<sim::Comm> between;
  for (int i = 0; i < 2; ++i) {
    before.push_back(scene->exec_init(1e9));
    between.push_back(scene->comm_init(1e7));
    after.push_back(scene->exec_init(1e9));
    before[i].add_successor(between[i]);
    between[i].add_successor(after[i]);
    before[i].set_host(tremblay);
    between[i].set_source(tremblay).set_destination(jupiter);
    after[i].set_host(jupiter);
  }
  before[0].add_successor(before[1]);
  between[0].add_successor(between[1]);
  after[0].add_successor(after[1]);
  before[0].start();
  CHECK_THAT(scene.run(), Printed(37.928311));
  CHECK_THAT(before[0].finish_time(), Printed(10.194200));
  CHECK_THAT(between[0].finish_time(), Printed(11.714617));
  CHECK_THAT(after[0].finish_time(), Printed(24.821464));
}
