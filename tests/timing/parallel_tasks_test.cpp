// SPDX-License-Identifier: MIT
//
// Timing of parallel tasks: computations and transfers that advance at the same pace, without factors and
// cross-traffic. What the rows do with messages is done with parallel tasks here.
#include "tests/timing/scene.hpp"

namespace parallel_tasks_test {

using namespace rehearse;
using namespace rehearse::testing;
namespace this_actor = rehearse::sim::this_actor;

namespace {

struct Task {
  std::vector<int> hosts;  // by number
  std::vector<double> flops, bytes;
};

Task transfer(int source, int destination, double bytes) { return {{source, destination}, {}, {0, bytes, 0, 0}}; }

// How long these tasks take, all started at once, whichever way of sharing.
double seconds_of(const std::vector<Task>& tasks) {
  std::vector<double> seconds;
  for (const auto* sharing : {"bmf", "fair-bottleneck"}) {
    ModelOptions models = network("ptask");
    models.parallel = sharing;
    Scene scene("eight_hosts", models);
    scene.actor("cpu0", [&] {
      sim::ActivitySet all;
      for (const Task& task : tasks) {
        std::vector<sim::HostRef> hosts;
        for (const int host : task.hosts) hosts.push_back(scene->host("cpu" + std::to_string(host)));
        all.push(this_actor::exec_init(hosts, task.flops, task.bytes).start());
      }
      all.wait_all();
    });
    seconds.push_back(scene.run());
  }
  CHECK_THAT(seconds[0], Printed(seconds[1], 9));
  return seconds[0];
}

std::vector<sim::HostRef> hosts_named(Scene& scene, const std::vector<std::string>& names) {
  std::vector<sim::HostRef> hosts;
  for (const auto& name : names) hosts.push_back(scene->host(name));
  return hosts;
}

}  // namespace

TEST_CASE("timing 53: a parallel task of 1 flop on one host of 1 flop/s takes 1 s", "[timing]") {
  CHECK_THAT(seconds_of({{{0}, {1}, {}}}), Printed(1));
}

TEST_CASE("timing 54: two of them share the host: 2 s", "[timing]") {
  CHECK_THAT(seconds_of({{{0}, {1}, {}}, {{0}, {1}, {}}}), Printed(2));
}

TEST_CASE("timing 55: 1 flop on each of two equal hosts takes 1 s", "[timing]") {
  CHECK_THAT(seconds_of({{{0, 1}, {1, 1}, {}}}), Printed(1));
}

TEST_CASE("timing 56: 1 flop on each of two hosts, one twice as fast, takes 1 s", "[timing]") {
  CHECK_THAT(seconds_of({{{0, 5}, {1, 1}, {}}}), Printed(1));
}

TEST_CASE("timing 57: 1 byte over a shared link of 1 byte/s and 0.5 s takes 1.5 s", "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 4, 1)}), Printed(1.5));
}

TEST_CASE("timing 58: 1 byte over a fatpipe of 1 byte/s and 0.5 s takes 1.5 s", "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 5, 1)}), Printed(1.5));
}

TEST_CASE("timing 59: 1 byte over three links with 2 s of latency takes 3 s", "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 1, 1)}), Printed(3));
}

TEST_CASE("timing 60: 1 byte over a latency of 2,097,152 s, where the window allows 1 byte/s, takes 2,097,153 s",
          "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 6, 1)}), Printed(2097153));
}

TEST_CASE("timing 61: two transfers of 1 byte over a shared link take 2.5 s", "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 4, 1), transfer(0, 4, 1)}), Printed(2.5));
}

TEST_CASE("timing 62: two transfers of 1 byte over a fatpipe take 1.5 s", "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 5, 1), transfer(0, 5, 1)}), Printed(1.5));
}

TEST_CASE("timing 63: two transfers of 1 byte over three links take 4 s", "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 1, 1), transfer(0, 1, 1)}), Printed(4));
}

TEST_CASE("timing 64: two transfers in opposite directions over a shared link take 2.5 s", "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 4, 1), transfer(4, 0, 1)}), Printed(2.5));
}

TEST_CASE("timing 65: two transfers in opposite directions over a fatpipe take 1.5 s", "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 5, 1), transfer(5, 0, 1)}), Printed(1.5));
}

TEST_CASE("timing 66: two transfers in opposite directions over three links take 4 s", "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 1, 1), transfer(1, 0, 1)}), Printed(4));
}

TEST_CASE("timing 67: one task with two transfers that share only a fatpipe takes 3 s", "[timing]") {
  CHECK_THAT(seconds_of({{{0, 1, 2, 3}, {}, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}}}), Printed(3));
}

TEST_CASE("timing 68: one task that scatters 1, 2 and 3 bytes takes 8 s", "[timing]") {
  CHECK_THAT(seconds_of({{{0, 1, 2, 3}, {}, {0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}}), Printed(8));
}

TEST_CASE("timing 69: one task where four hosts send 1 byte to each other takes 8 s", "[timing]") {
  CHECK_THAT(seconds_of({{{0, 1, 2, 3}, {}, {0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0}}}), Printed(8));
}

TEST_CASE("timing 70: 100 MB next to 1 byte on the same way take 0.8001 s", "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 7, 1e8), transfer(0, 7, 1)}), Printed(0.8001, 4));
}

TEST_CASE("timing 71: 1 byte to a host that computes 2 flops: 2 s in all", "[timing]") {
  CHECK_THAT(seconds_of({transfer(0, 4, 1), {{4}, {2}, {}}}), Printed(2));
}

TEST_CASE("timing 74: a task with two flows next to a lone flow takes 3.5 s by bottlenecks, 4 s by fair shares",
          "[timing]") {
  const auto seconds = [](const std::string& sharing, bool with_noise) {
    ModelOptions models = network("ptask");
    models.parallel = sharing;
    Scene scene(described("<zone id='world' routing='Full'><host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>"
                          "<link id='ab' bandwidth='1Bps' latency='1s'/>"
                          "<route src='a' dst='b'><link_ctn id='ab'/></route></zone>"),
                models);
    const auto a = scene->host("a"), b = scene->host("b");
    double end = 0;
    scene.actor("a", [&] {
      const auto noise = this_actor::exec_init({a, b}, {}, {0, 10, 0, 0});
      if (with_noise) noise.start();
      this_actor::parallel_execute({a, a, b}, {}, {0, 0, 1, 0, 0, 0.5, 0, 0, 0});
      end = this_actor::now();
    });
    scene.run();
    return end;
  };
  CHECK_THAT(seconds("bmf", false), Printed(2.5));
  CHECK_THAT(seconds("fair-bottleneck", false), Printed(2.5));
  CHECK_THAT(seconds("bmf", true), Printed(3.5));
  CHECK_THAT(seconds("fair-bottleneck", true), Printed(4.0));
}

TEST_CASE("timing 75: parallel tasks, one that times out and one that is reconfigured: 300 ... 360.5, 375.5 s",
          "[timing]") {
  Scene scene("energy_hosts", network("ptask"));
  const auto all = hosts_named(scene, {"MyHost1", "MyHost2", "MyHost3"});
  const std::vector<double> pairs = {0, 1e7, 1e7, 0, 0, 1e7, 0, 0, 0};
  scene.actor("MyHost1", [&] {
    this_actor::parallel_execute(all, {1e9, 1e9, 1e9}, pairs);
    scene.note();
    const auto late = this_actor::exec_init(all, {1e9, 1e9, 1e9}, pairs).start();
    CHECK_FALSE(late.wait_for(10));
    late.cancel();
    scene.note();
    this_actor::parallel_execute(all, {3e8, 6e8, 1e9}, {});
    scene.note();
    this_actor::parallel_execute(all, {}, {});
    scene.note();
    const auto watched = this_actor::exec_init(all, {1e6, 1e6, 1e6}, {0, 1e6, 0, 0, 0, 1e6, 1e6, 0, 0}).start();
    std::vector<double> left;
    for (; !watched.test(); this_actor::sleep_for(5)) left.push_back(100 * watched.remaining_ratio());
    CHECK_THAT(left, AllPrinted({100, 83, 67, 50, 33, 17}, 0));
    scene.note();
    const auto before = this_actor::exec_init(all, {1e6, 1e6, 1e6}, {0, 1e6, 0, 0, 1e6, 0, 1e6, 0, 0}).start();
    this_actor::sleep_for(10);
    CHECK_THAT(before.remaining_ratio(), Printed(0.5));
    before.suspend();
    this_actor::parallel_execute(all, {0, 0, 0}, {0, 0, 0, 0, 0, 0, 25000, 25000, 0});
    CHECK_THAT(before.remaining_ratio(), Printed(0.5));
    scene.note();
    before.cancel();
    this_actor::parallel_execute({all[0], all[1]}, {7.5e5, 7.5e5}, {0, 7.5e5, 7.5e5, 0});
    scene.note();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({300, 310, 320, 320, 350, 360.5, 375.5}));
}

TEST_CASE("timing 76: parallel tasks on one core, on four, next to another task and slowed down: 10 ... 175 s",
          "[timing]") {
  Scene scene("energy_hosts", network("ptask"));
  const auto four = scene->host("MyHost1"), two = scene->host("MyHost2"), three = scene->host("MyHost3");
  scene.actor("MyHost1", [&] {
    const auto run = [&](const std::vector<sim::HostRef>& hosts, const std::vector<double>& bytes) {
      this_actor::parallel_execute(hosts, std::vector<double>(hosts.size(), 1e9), bytes);
      scene.note();
    };
    run({two, three}, {});
    run({two, two}, {});
    run({four, four}, {});
    run({four, four, four, four, four, four}, {});
    run({four, four}, {0, 1e7, 1e7, 0});
    four.set_pstate(1);
    four.set_pstate(0);
    run({four, four}, {});
    run({two, three}, {});
    const auto other = four.exec_async(5e9);
    run({four, four}, {});
    CHECK_THAT(other.remaining_ratio(), Printed(0.8));
    four.set_pstate(1);
    run({four, four}, {});
    other.wait();
    scene.note();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({10, 30, 40, 55, 65, 75, 85, 95, 115, 175}));
}

TEST_CASE("timing 77: in a cluster without loopbacks a transfer to itself pays latency: 10, 20, 35, 45.0006 ... s",
          "[timing]") {
  Scene scene("energy_cluster", network("ptask"));
  const auto one = scene->host("MyHost1"), two = scene->host("MyHost2");
  scene.actor("MyHost1", [&] {
    const auto run = [&](const std::vector<sim::HostRef>& hosts, const std::vector<double>& bytes) {
      this_actor::parallel_execute(hosts, std::vector<double>(hosts.size(), 1e9), bytes);
      scene.note();
    };
    run({one, two}, {});
    run({one, one}, {});
    run({one, one, one, one, one, one}, {});
    run({one, one}, {0, 1e7, 1e7, 0});
    one.set_pstate(1);
    one.set_pstate(0);
    run({one, one}, {});
    run({one, two}, {});
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({10, 20, 35, 45.0006, 55.0006, 65.0006}));
}

}  // namespace parallel_tasks_test
