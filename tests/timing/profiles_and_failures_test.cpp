// SPDX-License-Identifier: MIT
//
// Timing where speeds, bandwidths and latencies follow profiles, and where hosts, links and actors come and go.
#include "tests/timing/scene.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace this_actor = rehearse::sim::this_actor;

namespace {

// Gives 20 tasks to five workers by turns, whatever happens to them, and notes how each attempt ends.
void play_master(Scene& scene) {
  const auto send = [&](int worker, double flops, double bytes, double timeout) {
    try {
      scene->mailbox("worker " + std::to_string(worker)).put(flops, bytes, timeout);
      scene.note("sent");
    } catch (const sim::TimeoutError&) {
      scene.note("too late");
    } catch (const sim::NetworkFailure&) {
      scene.note("failed");
    }
  };
  for (int i = 0; i < 20; ++i) send(i % 5, 5e7, 1e6, 10);
  for (int i = 0; i < 5; ++i) send(i, -1, 0, 1);
}

void play_worker(Scene& scene, const std::string& number) {
  auto& box = scene->mailbox("worker " + number);
  while (true) {
    try {
      const double flops = box.get<double>();
      if (flops < 0) return;
      this_actor::execute(flops);
    } catch (const sim::NetworkFailure&) {
      // Its link was off: wait for the next one.
    }
  }
}

double play_failing_hosts(Scene& scene) {
  scene->register_function("master", [&](const auto&) { play_master(scene); });
  scene->register_function("worker", [&](const auto& arguments) { play_worker(scene, arguments.at(0)); });
  scene->register_function("sleeper", [&](const auto&) {
    this_actor::sleep_for(1);
    scene.note("slept");
  });
  scene->deploy();
  return scene.run();
}

}  // namespace

TEST_CASE("timing 93: speeds, a bandwidth and a latency follow their profiles from 0 to 9 s", "[timing]") {
  Scene scene(described(
      "<zone id='world' routing='Full'><host id='Jupiter' speed='25Mf'/><host id='Fafard' speed='25Mf'/>"
      "<host id='Lilibeth' speed='25Mf'/><link id='l1' bandwidth='1MBps' latency='10ms'/>"
      "<link id='l2' bandwidth='1MBps' latency='10ms'/>"
      "<route src='Fafard' dst='Jupiter' symmetrical='NO'><link_ctn id='l1'/></route>"
      "<route src='Jupiter' dst='Fafard' symmetrical='NO'><link_ctn id='l1'/><link_ctn id='l2'/></route></zone>"
      "<trace id='j' periodicity='0'>0 0.5\n2 1.0\n4 0.7\n6 0.1\n8 4\nLOOPAFTER 10\n</trace>"
      "<trace id='l' periodicity='4'>0 1.0\n2 0.5\n</trace>"
      "<trace id='b' periodicity='0'>2 2000000\n4 3000000\nLOOPAFTER 6\n</trace>"
      "<trace id='d' periodicity='0'>1 0.003\n3 0.015\nLOOPAFTER 6\n</trace>"
      "<trace_connect kind='SPEED' trace='j' element='Jupiter'/>"
      "<trace_connect kind='SPEED' trace='l' element='Lilibeth'/>"
      "<trace_connect kind='BANDWIDTH' trace='b' element='l1'/>"
      "<trace_connect kind='LATENCY' trace='d' element='l1'/>"));
  std::vector<double> jupiter, fafard, lilibeth, bandwidth, latency;
  scene.actor("Fafard", [&] {
    for (int i = 0; i < 10; ++i) {
      jupiter.push_back(scene->host("Jupiter").speed() / 1e6);
      fafard.push_back(scene->host("Fafard").speed() / 1e6);
      lilibeth.push_back(scene->host("Lilibeth").speed() / 1e6);
      bandwidth.push_back(scene->link("l1").bandwidth() / 1e3);
      latency.push_back(scene->link("l1").latency() * 1e3);
      CHECK(scene->link("l2").bandwidth() == 1e6);
      CHECK(scene->link("l2").latency() == 0.010);
      this_actor::sleep_for(1);
    }
  });
  scene.run();
  // Half a flop is printed as an even number: 12.5 as 12, 17.5 as 18, 2.5 as 2.
  CHECK_THAT(jupiter, AllPrinted({12.5, 12.5, 25, 25, 17.5, 17.5, 2.5, 2.5, 100, 100}, 6));
  CHECK_THAT(fafard, AllPrinted(std::vector<double>(10, 25), 6));
  CHECK_THAT(lilibeth, AllPrinted({25, 25, 12.5, 12.5, 25, 25, 12.5, 12.5, 25, 25}, 6));
  CHECK_THAT(bandwidth, AllPrinted({1000, 1000, 2000, 2000, 3000, 3000, 3000, 3000, 3000, 3000}, 2));
  CHECK_THAT(latency, AllPrinted({10, 3, 3, 15, 15, 15, 15, 15, 15, 15}, 6));
}

TEST_CASE("timing 94: a master and workers on failing hosts end at 43.309278 s, with cross-traffic at 43.774742 s",
          "[timing]") {
  Scene without("failing_hosts", network_without_crosstraffic("lv08"));
  CHECK_THAT(play_failing_hosts(without), Printed(43.309278));
  CHECK_THAT(without.dates("sent"),
             AllPrinted({0.010309, 3.030928, 4.061856, 4.072165, 5.103093, 16.134021, 16.144330, 17.175258, 28.206186,
                         28.216495, 29.247423, 40.278351, 41.309278, 41.309278, 41.309278, 43.309278}));
  CHECK_THAT(without.dates("failed"), AllPrinted({1.0, 2.0, 15.103093, 28.206186}));
  CHECK_THAT(without.dates("too late"), AllPrinted({15.103093, 27.175258, 39.247423, 42.309278, 43.309278}));
  CHECK_THAT(without.dates("slept"), AllPrinted({1}));  // it has ended by itself: it does not start again
  Scene with("failing_hosts");
  CHECK_THAT(play_failing_hosts(with), Printed(43.774742));
}

TEST_CASE("timing 95: a host goes off and on: tasks end at 0.824497 and 3.993652 s, all is over at 4.012666 s",
          "[timing]") {
  Scene scene("seven_hosts");
  const auto jupiter = scene->host("Jupiter");
  const auto work = [&] {
    while (scene->mailbox("jupiter").get<int>() > 0) {
      this_actor::execute(5e7);
      scene.note("done");
    }
  };
  scene.actor("Tremblay", [&] {
    const auto send = [&](int task, double bytes) {
      scene->mailbox("jupiter").put_async(task, bytes).wait_for_or_cancel(1);
      scene.note("sent");
    };
    send(1, 1e6);
    this_actor::sleep_for(1);
    jupiter.turn_off();
    scene.note("off");
    CHECK_THROWS_AS(send(1, 1e6), sim::TimeoutError);
    jupiter.turn_on();
    scene.note("on");
    CHECK(jupiter.actors().empty());
    CHECK_THROWS_AS(send(1, 1e6), sim::TimeoutError);
    jupiter.add_actor("worker", work);
    send(1, 1e6);
    send(-1, 0);
  });
  scene.actor("Jupiter", work);
  CHECK_THAT(scene.run(), Printed(4.012666));
  CHECK_THAT(scene.dates("sent"), AllPrinted({0.169155, 3.338309, 4.012666}));
  CHECK_THAT(scene.date("off"), Printed(1.169155));
  CHECK_THAT(scene.date("on"), Printed(2.169155));
  CHECK_THAT(scene.dates("done"), AllPrinted({0.824497, 3.993652}));
}

TEST_CASE("timing 96: a host that goes off takes its writes with it; its actor begins again: 1, 2, 4 s", "[timing]") {
  Scene scene(
      described("<zone id='world' routing='Full'>"
                "<host id='h1' speed='1Gf'><disk id='d1' read_bw='1GBps' write_bw='1MBps'/>"
                "<disk id='d2' read_bw='1GBps' write_bw='1MBps'/></host><host id='h2' speed='1Gf'/>"
                "<link id='wire' bandwidth='1GBps'/><route src='h1' dst='h2'><link_ctn id='wire'/></route></zone>"));
  const auto first = scene->host("h1");
  scene.actor("h1",
              [&] {
                sim::ActivitySet both{first.disk("d1").write_async(2e6), first.disk("d2").write_async(2e6)};
                both.wait_all();
                scene.note();
              },
              {.auto_restart = true});
  scene.actor("h2", [&] {
    this_actor::sleep_for(1);
    first.turn_off();
    scene.note();
    this_actor::sleep_for(1);
    first.turn_on();
    scene.note();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({1, 2, 4}));
}

TEST_CASE("timing 97: actors of a platform file begin and end at their times: 3, 7, 10 and 12 s", "[timing]") {
  Scene scene(
      described("<cluster id='few' prefix='node-' suffix='' radical='0-2' speed='1Gf' bw='125MBps' lat='50us'/>"
                "<actor host='node-0' function='sleeper'/><actor host='node-0' function='sleeper' start_time='2'/>"
                "<actor host='node-1' function='sleeper' kill_time='3'/>"
                "<actor host='node-2' function='sleeper' start_time='4' kill_time='7'/>"));
  scene->register_function("sleeper", [&](const auto&) {
    scene.note("begins");
    this_actor::on_exit([&](bool killed) { scene.note(killed ? "killed" : "ends"); });
    this_actor::sleep_for(10);
  });
  scene->deploy();
  scene.run();
  CHECK_THAT(scene.dates("begins"), AllPrinted({0, 0, 2, 4}));
  CHECK_THAT(scene.dates("killed"), AllPrinted({3, 7}));
  CHECK_THAT(scene.dates("ends"), AllPrinted({10, 12}));
}

TEST_CASE("timing 98: joining an actor of 3 s for at most 2, 4, 2 s and after its end: 2, 5, 7, 11, 12 s", "[timing]") {
  Scene scene("seven_hosts");
  const auto sleeper = [&] { return this_actor::host().add_actor("sleeper", [] { this_actor::sleep_for(3); }); };
  scene.actor("Tremblay", [&] {
    CHECK_FALSE(sleeper().join(2));
    scene.note();
    CHECK(sleeper().join(4));
    scene.note();
    CHECK_FALSE(sleeper().join(2));
    scene.note();
    const auto last = sleeper();
    this_actor::sleep_for(4);
    CHECK(last.join(1));
    scene.note();
    this_actor::sleep_for(1);
    scene.note();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({2, 5, 7, 11, 12}));
}

TEST_CASE("timing 98: actors are resumed at 10 s, killed at 12 s and 14 s, and the last one leaves at 15 s",
          "[timing]") {
  Scene scene("seven_hosts");
  const auto victim = [&] {
    this_actor::on_exit([&](bool killed) { scene.note(killed ? "killed" : "ends"); });
    this_actor::suspend();
    scene.note("resumed");
    this_actor::execute(1e9);
    scene.note("has worked");
  };
  scene.actor("Tremblay", [&] {
    const auto first = scene->host("Fafard").add_actor("first", victim);
    const auto second = scene->host("Jupiter").add_actor("second", [] {});
    this_actor::sleep_for(10);
    first.resume();
    this_actor::sleep_for(2);
    first.kill();
    this_actor::sleep_for(1);
    CHECK_FALSE(second.is_alive());
    second.kill();  // it has ended: nothing happens
    this_actor::sleep_for(1);
    scene->host("Jupiter").add_actor("third", victim).kill();
    this_actor::sleep_for(1);
    this_actor::exit();
  });
  CHECK_THAT(scene.run(), Printed(15));
  CHECK_THAT(scene.dates("resumed"), AllPrinted({10}));
  CHECK(scene.dates("has worked").empty());
  CHECK(scene.dates("killed").front() == 12);
}

TEST_CASE("timing 99: tasks that fail with their host are scheduled again: 10, 50, 90, 100, 180 and 220 s",
          "[timing]") {
  std::vector<double> dates;
  Scene scene(
      described("<zone id='world' routing='Full'><host id='faulty' speed='1Gf'/><host id='safe' speed='500Mf'/></zone>"
                "<trace id='state' periodicity='0'>0 1\n10 0\n11 1\n60 0\n61 1\n100 0\n101 1\n</trace>"
                "<trace_connect kind='HOST_AVAIL' trace='state' element='faulty'/>"));
  const auto faulty = scene->host("faulty"), safe = scene->host("safe");
  scene->on_activity_end([&](const sim::Activity&) { dates.push_back(scene->now()); });
  const auto poor = scene->exec_init(2e10);
  poor.set_host(faulty).start();
  const auto child = scene->exec_init(2e10);
  poor.add_successor(child);
  child.set_host(safe).start();
  scene->run_until(10);
  CHECK(poor.state() == sim::ActivityState::failed);
  poor.unset_host();
  poor.set_host(safe).start();
  scene.run();
  const auto parallel = scene->exec_init({safe, faulty}, {2e10, 2e10}, {});
  parallel.start();
  const auto second_child = scene->exec_init(2e10);
  parallel.add_successor(second_child);
  second_child.set_host(safe).start();
  scene->run_until(100);
  CHECK(parallel.state() == sim::ActivityState::failed);
  const auto again = scene->exec_init(4e10);
  again.add_successor(second_child);
  parallel.remove_successor(second_child);
  again.set_host(safe).start();
  scene.run();
  CHECK_THAT(dates, AllPrinted({10, 50, 90, 100, 180, 220}));
}
