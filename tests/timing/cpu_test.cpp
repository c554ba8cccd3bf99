// SPDX-License-Identifier: MIT
//
// Timing of computations: sharing, priorities, bounds, threads, speed states, suspension and migration.
#include "tests/timing/scene.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace this_actor = rehearse::sim::this_actor;

namespace {

Platform one_host(const std::string& attributes) {
  return described("<zone id='world' routing='Full'><host id='h' " + attributes + "/></zone>");
}

// Computations of the same size on one host, each with its most flops per second (0: no bound); when each ends.
std::vector<double> ends_with_bounds(double flops, const std::vector<double>& bounds) {
  Scene scene("seven_hosts");
  std::vector<sim::Exec> computations;
  for (const double bound : bounds) {
    const auto computation = scene->exec_init(flops);
    computation.set_host(scene->host("Fafard"));
    if (bound > 0) computation.set_bound(bound);
    computations.push_back(computation.start());
  }
  scene.run();
  std::vector<double> ends;
  for (const auto& computation : computations) ends.push_back(computation.finish_time());
  return ends;
}

}  // namespace

TEST_CASE("timing 35: of two equal computations the one with priority 2 ends at 0.001500 s, the other at 0.002000 s",
          "[timing]") {
  Scene scene("seven_hosts");
  scene.actor("Tremblay", [&] {
    this_actor::execute(98095);
    scene.note("plain");
  });
  scene.actor("Tremblay", [&] {
    this_actor::execute(98095, 2);
    scene.note("privileged");
  });
  scene.run();
  CHECK_THAT(scene.date("privileged"), Printed(0.001500));
  CHECK_THAT(scene.date("plain"), Printed(0.002000));
}

TEST_CASE("timing 36: computations of 1 s: waited for until 1.0 s, tested every 0.3 s until 1.2 s, cancelled at 0.5 s",
          "[timing]") {
  Scene scene("seven_hosts");
  scene.actor("Fafard", [&] {
    this_actor::exec_async(this_actor::host().speed()).wait();
    scene.note("waited");
  });
  scene.actor("Ginette", [&] {
    const auto computation = this_actor::exec_async(this_actor::host().speed());
    std::vector<double> left;
    while (!computation.test()) {
      left.push_back(100 * computation.remaining_ratio());
      this_actor::sleep_for(0.3);
    }
    scene.note("tested");
    CHECK_THAT(left, AllPrinted({100, 70, 40, 10}, 6));
  });
  scene.actor("Boivin", [&] {
    const auto computation = this_actor::exec_async(this_actor::host().speed());
    this_actor::sleep_for(0.5);
    computation.cancel();
    CHECK(computation.state() == sim::ActivityState::canceled);
    scene.note("cancelled");
  });
  CHECK_THAT(scene.run(), Printed(1.2));
  CHECK_THAT(scene.date("waited"), Printed(1.0));
  CHECK_THAT(scene.date("tested"), Printed(1.2));
  CHECK_THAT(scene.date("cancelled"), Printed(0.5));
}

TEST_CASE("timing 37: a computation of 3 s that is suspended twice for 10 s ends at 23 s", "[timing]") {
  Scene scene("seven_hosts");
  scene.actor("Fafard", [&] {
    const auto computation = this_actor::exec_async(3 * this_actor::host().speed());
    for (int i = 0; i < 2; ++i) {
      this_actor::sleep_for(1);
      scene.note();
      computation.suspend();
      CHECK_THAT(computation.remaining_ratio(), Printed(i == 0 ? 0.666667 : 0.333333));
      this_actor::sleep_for(10);
      scene.note();
      CHECK_THAT(computation.remaining_ratio(), Printed(i == 0 ? 0.666667 : 0.333333));
      computation.resume();
    }
    computation.wait();
    scene.note();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({1, 11, 12, 22, 23}));
}

TEST_CASE("timing 38: a remote computation ends at 1.0 s, a moved one at 2.0 s, one whose host goes off fails at 2.5 s",
          "[timing]") {
  Scene scene("seven_hosts");
  scene.actor("Fafard", [&] {
    const auto ginette = scene->host("Ginette");
    ginette.execute(48.492e6);
    scene.note();
    const auto moved = ginette.exec_async(73293500);
    this_actor::sleep_for(0.5);
    CHECK_THAT(moved.rate(), Printed(48492000, 0));
    moved.set_host(scene->host("Boivin"));
    this_actor::sleep_for(0.1);
    CHECK_THAT(moved.rate(), Printed(98095000, 0));
    moved.wait();
    scene.note();
    const auto failing = ginette.exec_async(48.492e6);
    this_actor::sleep_for(0.5);
    ginette.turn_off();
    CHECK_THROWS_AS(failing.wait(), sim::HostFailure);
    scene.note();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({1.0, 2.0, 2.5}));
}

TEST_CASE("timing 39: 1177.14 Mflop, half on one host and half on another after a migration, end at 10 s", "[timing]") {
  Scene scene("seven_hosts");
  const auto boivin = scene->host("Boivin"), jacquelin = scene->host("Jacquelin"), fafard = scene->host("Fafard");
  const auto worker = scene->add_actor("worker", fafard, [&] {
    const double flops = 5 * boivin.speed() + 5 * jacquelin.speed();
    CHECK_THAT(flops, Printed(1177.14e6, 0));
    this_actor::set_host(boivin);
    this_actor::execute(flops);
    CHECK(this_actor::host() == jacquelin);
    scene.note();
    this_actor::suspend();
    CHECK(this_actor::host() == fafard);
    scene.note();
  });
  scene.actor("Boivin", [&] {
    this_actor::sleep_for(5);
    worker.set_host(jacquelin);
    this_actor::sleep_until(15);
    worker.set_host(fafard);
    worker.resume();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({10.0, 15.0}));
}

TEST_CASE("timing 40: an actor suspended in its sleep wakes when it is resumed, at work it loses the time: 10 ... 47 s",
          "[timing]") {
  Scene scene("seven_hosts");
  const auto lazy = scene->add_actor("lazy", scene->host("Boivin"), [&] {
    this_actor::suspend();
    scene.note();
    this_actor::sleep_for(10);
    scene.note();
    this_actor::sleep_for(10);
    scene.note();
    this_actor::execute(980.95e6);
    scene.note();
  });
  scene.actor("Boivin", [&] {
    const auto pause = [&](double before, double seconds) {
      this_actor::sleep_for(before);
      lazy.suspend();
      this_actor::sleep_for(seconds);
      lazy.resume();
    };
    this_actor::sleep_for(10);
    CHECK(lazy.is_suspended());
    lazy.resume();
    pause(5, 10);  // beyond the end of the first sleep
    pause(5, 2);   // within the second
    pause(5, 2);   // at work
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({10, 25, 35, 47}));
}

TEST_CASE("timing 41: computations of 1 to 6 threads share 4 cores: 10, 20, 35, 45, 57.5, 62.5, 80, 85, 95 s",
          "[timing]") {
  Scene scene(one_host("speed='100Mf' core='4'"));
  const auto h = scene->host("h");
  const auto threads = [&](double flops, std::uint32_t count) {
    const auto computation = this_actor::exec_init(flops);
    computation.set_thread_count(count).start();
    return computation;
  };
  scene.actor("h", [&] {
    for (const std::uint32_t count : {2, 4, 6}) {
      this_actor::thread_execute(h, 1e9, count);
      scene.note();
    }
    const auto single = this_actor::exec_async(2.5e9);
    for (const std::uint32_t count : {2, 4}) {
      this_actor::thread_execute(h, 1e9, count);
      scene.note();
    }
    single.wait();
    scene.note();
    const auto four = threads(2e9, 4);
    this_actor::sleep_for(5);
    this_actor::execute(1e9);
    scene.note();
    four.wait();
    scene.note();
    const auto one = threads(1e9, 2), two = threads(1e9, 2);
    one.wait();
    two.wait();
    scene.note();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({10, 20, 35, 45, 57.5, 62.5, 80, 85, 95}));
}

TEST_CASE("timing 42: a factor of 0.5 for small computations makes 1 ms into 2 ms: 1.0 and 1.002 s", "[timing]") {
  ModelOptions models;
  models.compute_factor = [](HostId, double flops) { return flops < 1e4 ? 0.5 : 1.0; };
  Scene scene(one_host("speed='1Mf'"), models);
  scene.actor("h", [&] {
    for (const double flops : {1e6, 1e3}) {
      this_actor::execute(flops);
      scene.note();
    }
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({1.0, 1.002}));
}

TEST_CASE("timing 43: ten computations of 1 s on a core that loses half its speed by sharing end at 20 s", "[timing]") {
  Scene scene(one_host("speed='1Mf'"));
  scene->costs().set_host_capacity_function(
      scene->host("h").id(),
      [](double capacity, std::uint32_t computations) { return computations > 1 ? capacity / 2 : capacity; },
      TimePoint{});
  scene.actor("h", [&] {
    sim::ActivitySet all;
    for (int i = 0; i < 10; ++i) all.push(this_actor::exec_async(1e6));
    all.wait_all();
  });
  CHECK_THAT(scene.run(), Printed(20.0));
}

TEST_CASE("timing 44: 100 Mflop take 1 s in the first speed state and 5 s in the third: 1.0 and 6.0 s", "[timing]") {
  const auto check = [](Platform platform) {
    Scene scene(std::move(platform));
    for (const auto* name : {"MyHost1", "MyHost2"}) {
      scene.actor(name, [&scene] {
        const auto host = this_actor::host();
        CHECK(host.pstates() == 3);
        CHECK(host.speed() == 1e8);
        this_actor::execute(1e8);
        scene.note();
        host.set_pstate(2);
        CHECK(host.speed() == 2e7);
        this_actor::execute(1e8);
        scene.note();
      });
    }
    scene.run();
    CHECK_THAT(scene.dates(), AllPrinted({1.0, 1.0, 6.0, 6.0}));
  };
  check(stored_platform("energy_hosts"));
  check(stored_platform("energy_cluster"));
}

TEST_CASE("timing 45: waiting for at most 3, 6 and 2 s ends at 3.0 s (timeout), 8.0 s (done) and 10.0 s (timeout)",
          "[timing]") {
  Scene scene(one_host("speed='98.095Mf' core='6'"));
  scene.actor("h", [&] {
    const auto host = this_actor::host();
    CHECK_FALSE(this_actor::exec_async(5 * host.speed()).wait_for(3));
    scene.note();
    CHECK(this_actor::exec_async(5 * host.speed()).wait_for(6));
    scene.note();
    const auto parallel = this_actor::exec_init({host}, {1e9}, {0.0});
    parallel.start();
    CHECK_FALSE(parallel.wait_for(2));
    scene.note();
    parallel.cancel();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({3.0, 8.0, 10.0}));
}

TEST_CASE("timing 46: computations fail when their host is turned off at 10 s or goes off by its profile at 12 s",
          "[timing]") {
  Scene scene(described(
      "<zone id='world' routing='Full'><host id='h1' speed='1f'/><host id='h2' speed='1f'/><host id='h3' speed='1f'/>"
      "</zone><trace id='state' periodicity='30'>12 0\n20 1\n</trace>"
      "<trace_connect kind='HOST_AVAIL' trace='state' element='h2'/>"));
  scene.actor("h3", [&] {
    std::vector<sim::Exec> computations;
    for (const auto* name : {"h1", "h2", "h3"}) computations.push_back(scene->host(name).exec_async(20));
    CHECK_THROWS_AS(computations[0].wait(), sim::HostFailure);
    scene.note();
    CHECK(computations[1].state() == sim::ActivityState::started);
    CHECK_THROWS_AS(computations[1].wait(), sim::HostFailure);
    scene.note();
    CHECK(computations[1].state() == sim::ActivityState::failed);
    computations[2].wait();
    scene.note();
  });
  scene.actor("h3", [&] {
    this_actor::sleep_for(10);
    scene->host("h1").turn_off();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({10, 12, 20}));
}

TEST_CASE("timing 47: bounds of 50, 33, 25 % and of more than there is, alone and in pairs, on a host", "[timing]") {
  // The rows about virtual machines are left out.
  constexpr double speed = 76.296e6, flops = 10 * speed;
  CHECK_THAT(ends_with_bounds(flops, {0}), AllPrinted({10}));
  CHECK_THAT(ends_with_bounds(flops, {speed / 2}), AllPrinted({20}));
  CHECK_THAT(ends_with_bounds(flops, {speed / 3}), AllPrinted({30}));
  CHECK_THAT(ends_with_bounds(flops, {2 * speed}), AllPrinted({10}));
  CHECK_THAT(ends_with_bounds(flops, {0, 0}), AllPrinted({20, 20}));
  CHECK_THAT(ends_with_bounds(flops, {speed / 2, speed / 2}), AllPrinted({20, 20}));
  CHECK_THAT(ends_with_bounds(flops, {speed / 4, speed / 4}), AllPrinted({40, 40}));
  CHECK_THAT(ends_with_bounds(flops, {0.75 * speed, speed}), AllPrinted({20, 20}));
  CHECK_THAT(ends_with_bounds(flops, {0, speed / 4}), AllPrinted({13.333333, 40}));
  CHECK_THAT(ends_with_bounds(flops, {0.75 * speed, speed / 4}), AllPrinted({13.333333, 40}));
}

TEST_CASE("timing 48: two cores with a speed profile and bounded computations: 1.5, 3.5, 5.333333 ... 10.666667 s",
          "[timing]") {
  // The profile goes to 0.5 at 1 s; repeated after 1 s it is back at 1.0 at the same date.
  Scene scene(described("<zone id='world' routing='Full'><host id='h' speed='1Mf' core='2'/></zone>"
                        "<trace id='speed' periodicity='1'>0 1.0\n1 0.5\n</trace>"
                        "<trace_connect kind='SPEED' trace='speed' element='h'/>"));
  const auto together = [&](int count, double flops, double bound) {
    sim::ActivitySet all;
    for (int i = 0; i < count; ++i) {
      const auto computation = this_actor::exec_init(flops);
      if (bound > 0) computation.set_bound(bound);
      all.push(computation.start());
    }
    all.wait_all();
    scene.note();
  };
  scene.actor("h", [&] {
    together(1, 1.5e6, 0);
    together(1, 0.8e6, 0.4e6);
    together(1, 1.1e6, 0.6e6);
    together(2, 1e6, 0);
    together(2, 0.5e6, 0);
    together(2, 1.1e6, 0.6e6);
    together(2, 0.8e6, 0.4e6);
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({1.5, 3.5, 5.333333, 6.333333, 6.833333, 8.666667, 10.666667}));
}

namespace {

// Computations that begin at a date, with a priority, on a host whose speed changes every 10 s: 10, 8, 4, over again.
struct Piece {
  double start, flops, priority;
};

std::vector<double> ends_of(const std::vector<Piece>& pieces) {
  Scene scene(described("<zone id='world' routing='Full'><host id='Cpu B' speed='10f'/></zone>"
                        "<trace id='speed' periodicity='30'>0 1.0\n10 0.8\n20 0.4\n</trace>"
                        "<trace_connect kind='SPEED' trace='speed' element='Cpu B'/>"));
  std::vector<double> ends(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    scene.actor("Cpu B",
                [&, i] {
                  this_actor::execute(pieces[i].flops, pieces[i].priority);
                  ends[i] = this_actor::now();
                },
                {.start_time = pieces[i].start});
  }
  scene.run();
  return ends;
}

}  // namespace

TEST_CASE("timing 49: on a host whose speed follows a trace, twelve sets of computations end when the integral says",
          "[timing]") {
  CHECK_THAT(ends_of({{0, 40, 1}}), AllPrinted({4.0}));
  CHECK_THAT(ends_of({{10, 40, 1}}), AllPrinted({15.0}));
  CHECK_THAT(ends_of({{20, 40, 1}}), AllPrinted({30.0}));
  CHECK_THAT(ends_of({{0, 220, 1}}), AllPrinted({30.0}));
  CHECK_THAT(ends_of({{20, 140, 1}}), AllPrinted({40.0}));
  CHECK_THAT(ends_of({{10, 260, 1}}), AllPrinted({45.0}));
  CHECK_THAT(ends_of({{40, 40, 1}}), AllPrinted({45.0}));
  CHECK_THAT(ends_of({{40, 260, 1}}), AllPrinted({75.0}));
  CHECK_THAT(ends_of({{10, 150, 1.5}, {20, 70, 1.5}}), AllPrinted({40.0, 40.0}));
  CHECK_THAT(ends_of({{10, 50, 2.5}, {10.5, 70, 1.5}}), AllPrinted({19.7, 30.0}));
  CHECK_THAT(ends_of({{0, 170, 1}, {0, 170, 1}, {30, 100, 1}}), AllPrinted({50.0, 50.0, 60.0}));
  CHECK_THAT(ends_of({{10, 25, 1}, {10.5, 75, 3}, {20, 120, 4}}), AllPrinted({24.0, 30.4, 40.0}));
}

namespace {

// A failing host and one whose speed changes, driven by the cost model alone: the date of each end, with failures
// as negative ones.
std::vector<double> ends_without_actors() {
  const Platform platform = described(
      "<zone id='world' routing='Full'><host id='Cpu A' speed='10f'/><host id='Cpu B' speed='10f'/>"
      "<link id='wire' bandwidth='10MBps' latency='200ms'/>"
      "<route src='Cpu A' dst='Cpu B'><link_ctn id='wire'/></route></zone>"
      "<trace id='a' periodicity='21'>0 1.0\n11 0.5\n20 0.9\n</trace>"
      "<trace id='b' periodicity='30'>0 1.0\n10 0.8\n20 0.4\n</trace>"
      "<trace id='off' periodicity='10'>1 0\n2 1\n</trace>"
      "<trace_connect kind='SPEED' trace='a' element='Cpu A'/><trace_connect kind='SPEED' trace='b' element='Cpu B'/>"
      "<trace_connect kind='HOST_AVAIL' trace='off' element='Cpu A'/>");
  const auto model = std::move(make_cost_model(network("cm02"), platform).value());
  const TimePoint start{};
  model->start(Computation{.host = {0}, .flops = 1000}, start);
  model->start(Computation{.host = {1}, .flops = 1000}, start);
  model->start(Transfer{.source = {0}, .destination = {1}, .bytes = 150}, start);
  std::vector<double> ends;
  while (model->is_busy()) {
    const TimePoint date = model->next_date();
    std::vector<Ended> ended;
    model->advance(date, ended);
    for (const Ended& one : ended) ends.push_back(one.failed ? -date.seconds() : date.seconds());
  }
  return ends;
}

}  // namespace

TEST_CASE("timing 50: without actors, a flow ends at 0.200016 s, a host fails at 1.0 s, a computation ends at 132.5 s",
          "[timing]") {
  CHECK_THAT(ends_without_actors(), AllPrinted({0.200016, -1.0, 132.5}));
}

TEST_CASE("timing 51: with an actor that sleeps 7.32 s, the flow, the failure and the sleep keep their dates",
          "[timing]") {
  Scene scene(described("<zone id='world' routing='Full'><host id='Cpu A' speed='10f'/><host id='Cpu B' speed='10f'/>"
                        "<link id='wire' bandwidth='10MBps' latency='200ms'/>"
                        "<route src='Cpu A' dst='Cpu B'><link_ctn id='wire'/></route></zone>"
                        "<trace id='off' periodicity='10'>1 0\n2 1\n</trace>"
                        "<trace_connect kind='HOST_AVAIL' trace='off' element='Cpu A'/>"),
              network("cm02"));
  const auto a = scene->host("Cpu A"), b = scene->host("Cpu B");
  scene.actor("Cpu B", [&] {
    const auto failing = a.exec_async(1000);
    sim::Comm::sendto(a, b, 150);
    scene.note();
    CHECK_THROWS_AS(failing.wait(), sim::HostFailure);
    scene.note();
    this_actor::sleep_until(7.32);
    scene.note();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({0.200016, 1.0, 7.32}));
}

TEST_CASE("timing 52: computations of 100 Mflop on hosts of 1 and 2 cores share what is missing and no more",
          "[timing]") {
  // The rows about virtual machines are left out.
  const auto seconds = [](int cores, int computations) {
    Scene scene(one_host("speed='1Gf' core='" + std::to_string(cores) + "'"));
    scene.actor("h", [&] {
      sim::ActivitySet all;
      for (int i = 0; i < computations; ++i) all.push(this_actor::exec_async(1e8));
      all.wait_all();
    });
    return scene.run();
  };
  CHECK_THAT(seconds(1, 1), Printed(0.1));
  CHECK_THAT(seconds(1, 2), Printed(0.2));
  CHECK_THAT(seconds(2, 1), Printed(0.1));
  CHECK_THAT(seconds(2, 2), Printed(0.1));
  CHECK_THAT(seconds(2, 3), Printed(0.15));
  CHECK_THAT(seconds(2, 4), Printed(0.2));
}
