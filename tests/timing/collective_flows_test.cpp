// SPDX-License-Identifier: MIT
//
// Timing of applications that pass messages: rings, chains, masters with workers; and of flows on links that change.
#include <algorithm>

#include "tests/timing/scene.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace this_actor = rehearse::sim::this_actor;

namespace {

// A token of 1 MB goes once around all hosts, in the order of their names; notes each arrival.
double pass_token(Scene& scene) {
  auto hosts = scene->hosts();
  std::sort(hosts.begin(), hosts.end(), [](const auto& a, const auto& b) { return a.name() < b.name(); });
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    auto& mine = scene->mailbox(hosts[i].name());
    auto& next = scene->mailbox(hosts[(i + 1) % hosts.size()].name());
    scene.actor(hosts[i].name(), [&, i] {
      if (i == 0) next.put("token", 1e6);
      mine.receive();
      scene.note();
      if (i != 0) next.put("token", 1e6);
    });
  }
  return scene.run();
}

// One link between two hosts that does what profiles say.
Platform moody_link(const std::string& link, const std::string& profiles) {
  return described("<zone id='world' routing='Full'><host id='a' speed='98Mf'/><host id='b' speed='98Mf'/>" + link +
                   "<route src='a' dst='b'><link_ctn id='ab'/></route></zone>" + profiles);
}

}  // namespace

TEST_CASE("timing 17: a token of 1 MB is at the six hosts of two clusters at 0.017354 ... 0.131796 s", "[timing]") {
  Scene scene("two_clusters");
  CHECK_THAT(pass_token(scene), Printed(0.131796));
  CHECK_THAT(scene.dates(), AllPrinted({0.017354, 0.035121, 0.065898, 0.083252, 0.101019, 0.131796}));
}

TEST_CASE("timing 18: a token between two peers with coordinates is back at 1.250212 s", "[timing]") {
  Scene scene(
      described("<zone id='world' routing='Vivaldi'>"
                "<peer id='a' coordinates='25.5 9.4 1.4' speed='1.5Gf' bw_in='2.25GBps' bw_out='2.25GBps'/>"
                "<peer id='b' coordinates='-12.7 -9.9 2.1' speed='730Mf' bw_in='2.25GBps' bw_out='2.25GBps'/></zone>"));
  pass_token(scene);
  CHECK_THAT(scene.dates(), AllPrinted({0.625106, 1.250212}));
}

TEST_CASE("timing 19: a token goes around sixty hosts of two clusters of cabinets in 1.821865 s", "[timing]") {
  Scene scene("cabinets");
  CHECK_THAT(pass_token(scene), Printed(1.821865));
}

namespace {

// 256 pieces of a file from the first host along a chain of 8 peers, each of which forwards what it has got.
void play_chain(Scene& scene) {
  constexpr int peers = 8, pieces = 256;
  constexpr double piece_bytes = 65536 + 1;
  const auto box = [&scene](int peer) -> sim::Mailbox& { return scene->mailbox("peer " + std::to_string(peer)); };
  scene.actor("node-0", [=, &scene] {
    for (int peer = 1; peer <= peers; ++peer) box(peer).put(pieces, 40);
    sim::ActivitySet sent;
    for (int i = 0; i < pieces; ++i) sent.push(box(1).put_async(i, piece_bytes));
    sent.wait_all();
  });
  for (int peer = 1; peer <= peers; ++peer) {
    scene.actor("node-" + std::to_string(peer), [=, &scene] {
      const int expected = box(peer).get<int>();
      sim::ActivitySet sent;
      for (int i = 0; i < expected; ++i) {
        const int piece = box(peer).get<int>();
        if (peer < peers) sent.push(box(peer + 1).put_async(piece, piece_bytes));
      }
      sent.wait_all();
      scene.note();
    });
  }
}

}  // namespace

TEST_CASE("timing 20: 16 MiB in 256 pieces reach the end of a chain of eight peers at 2.264637 s", "[timing]") {
  Scene scene("backbone_cluster");
  play_chain(scene);
  CHECK_THAT(scene.run(), Printed(2.264637));
  CHECK_THAT(scene.dates(),
             AllPrinted({2.214423, 2.222796, 2.231170, 2.239543, 2.247917, 2.256290, 2.264637, 2.264637}));
}

TEST_CASE("timing 21: a master gives 20 tasks to five workers at known dates; all is over at 5.133855 s", "[timing]") {
  Scene scene("seven_hosts");
  const std::vector<std::string> workers = {"Tremblay", "Jupiter", "Fafard", "Ginette", "Bourassa"};
  scene.actor("Tremblay", [&] {
    for (std::size_t i = 0; i < 20; ++i) {
      scene.note("sends");
      scene->mailbox(workers[i % 5]).put(5e7, 1e6);
    }
    scene.note("sends");
    for (const auto& worker : workers) scene->mailbox(worker).put(-1.0, 0);
  });
  for (const auto& worker : workers) {
    scene.actor(worker, [&] {
      for (double flops; (flops = scene->mailbox(worker).get<double>()) > 0;) this_actor::execute(flops);
      scene.note("ends");
    });
  }
  CHECK_THAT(scene.run(), Printed(5.133855));
  CHECK_THAT(scene.dates("sends"), AllPrinted({0.0,      0.002265, 0.171420, 0.329817, 0.453549, 0.586168, 0.588433,
                                               0.995917, 1.154314, 1.608379, 1.749885, 1.752150, 1.921304, 2.079701,
                                               2.763209, 2.913601, 2.915867, 3.085021, 3.243418, 3.918038, 4.077318}));
  CHECK_THAT(scene.dates("ends"), AllPrinted({4.077513, 4.096528, 4.122236, 4.965689, 5.133855}));
}

TEST_CASE("timing 22: 1 MB takes 0.158397 s, next to another 0.291085 s, and over a loopback 0.002265 s", "[timing]") {
  Scene scene("seven_hosts");
  const auto fafard = scene->host("Fafard"), tremblay = scene->host("Tremblay");
  scene.actor("Fafard", [&] {
    sim::Comm::sendto(fafard, tremblay, 1e6);
    scene.note();
    this_actor::sleep_until(5);
    const auto one = sim::Comm::sendto_async(fafard, tremblay, 1e6);
    const auto two = sim::Comm::sendto_async(fafard, tremblay, 1e6);
    one.wait();
    scene.note();
    two.wait();
    scene.note();
    this_actor::sleep_until(10);
    sim::Comm::sendto(fafard, fafard, 1e6);
    scene.note();
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({0.158397, 5.291085, 5.291085, 10.002265}));
}

TEST_CASE("timing 23: the window bounds a flow by its latency: 1, 1.000010, 4.769372 and 476.937158 s", "[timing]") {
  const auto seconds = [](const std::string& latency, ModelOptions models) {
    Scene scene(moody_link("<link id='ab' bandwidth='10GBps' latency='" + latency + "'/>", ""), std::move(models));
    scene.actor("a", [&] { sim::Comm::sendto(scene->host("a"), scene->host("b"), 1e10); });
    return scene.run();
  };
  const ModelOptions cm02 = network_without_crosstraffic("cm02");
  CHECK_THAT(seconds("0", cm02), Printed(1.0));
  CHECK_THAT(seconds("10us", cm02), Printed(1.000010));
  CHECK_THAT(seconds("1ms", cm02), Printed(4.769372));
  CHECK_THAT(seconds("100ms", cm02), Printed(476.937158));
  ModelOptions unbounded = cm02;
  unbounded.window_bytes = 0;
  CHECK_THAT(seconds("1ms", unbounded), Printed(1.001));
}

TEST_CASE("timing 24: a change of latency or bandwidth changes the weight of the flows there: 2, 1.753312, 1.75 s",
          "[timing]") {
  ModelOptions models = network_without_crosstraffic("cm02");
  models.weight_bytes = 20537;
  const auto seconds = [&](const std::function<void(const sim::LinkRef&)>& change) {
    Scene scene(described(
                    "<zone id='world' routing='Full'><host id='s1' speed='1Mf'/><host id='s2' speed='1Mf'/>"
                    "<host id='c1' speed='1Mf'/><host id='c2' speed='1Mf'/><link id='neck' bandwidth='1kBps'/>"
                    "<link id='l1' bandwidth='1GBps' latency='1ns'/><link id='l2' bandwidth='1GBps' latency='1ns'/>"
                    "<link id='l3' bandwidth='1GBps' latency='1ns'/><link id='l4' bandwidth='1GBps' latency='1ns'/>"
                    "<route src='s1' dst='c1'><link_ctn id='l1'/><link_ctn id='neck'/><link_ctn id='l2'/></route>"
                    "<route src='s2' dst='c2'><link_ctn id='l3'/><link_ctn id='neck'/><link_ctn id='l4'/></route>"
                    "</zone>"),
                models);
    const auto first = scene->comm_init(1e3), second = scene->comm_init(1e3);
    first.set_source(scene->host("s1")).set_destination(scene->host("c1")).start();
    second.set_source(scene->host("s2")).set_destination(scene->host("c2")).start();
    scene.actor("s1", [&] {
      this_actor::sleep_for(1);
      change(scene->link("l4"));
    });
    scene.run();
    return std::vector<double>{first.finish_time(), second.finish_time()};
  };
  CHECK_THAT(seconds([](const auto&) {}), AllPrinted({2.0, 2.0}));
  CHECK_THAT(seconds([](const auto& link) { link.set_latency(20); }), AllPrinted({1.753312, 2.0}));
  CHECK_THAT(seconds([](const auto& link) { link.set_bandwidth(1e3); }), AllPrinted({1.75, 2.0}));
}

TEST_CASE("timing 26: 100 kB over 10 ms and 1 Mbps take 0.996079 s", "[timing]") {
  Scene scene(moody_link("<link id='ab' bandwidth='1Mbps' latency='10ms'/>", ""));
  scene.actor("a", [&] { sim::Comm::sendto(scene->host("a"), scene->host("b"), 1e5); });
  CHECK_THAT(scene.run(), Printed(0.996079));
}

TEST_CASE("timing 25: messages over a link whose bandwidth and latency change arrive when the bytes have had time",
          "[timing]") {
  // The other simulator prints 6.542268 for the first message: the change of bandwidth at 1 s ends the latency that
  // lasts until 1.301 s. It also lets the sixth flow go on at the old 200 B/s when the link has become fast at 100 s
  // (100.973264). In between both agree: 15.746610 s from message to message.
  Scene scene(moody_link("<link id='ab' bandwidth='42MBps' latency='20ms'/>",
                         "<trace id='latency' periodicity='60'>0 0.1\n0.102 0.00002\n</trace>"
                         "<trace id='bandwidth' periodicity='150'>0 42000000\n1 200\n100 42000000\n</trace>"
                         "<trace_connect kind='LATENCY' trace='latency' element='ab'/>"
                         "<trace_connect kind='BANDWIDTH' trace='bandwidth' element='ab'/>"));
  constexpr double task_seconds = 1e9 / 98e6, slow_seconds = 1024 * 1.05 / (0.97 * 200), start_seconds = 13.01 * 2e-5;
  scene.actor("a", [&] {
    for (int i = 0; i <= 100; ++i) {
      scene->mailbox("box").put_detached(i, 1024);
      if (i < 100) this_actor::sleep_for(1);
    }
  });
  scene.actor("b", [&] {
    while (scene->mailbox("box").get<int>() < 100) {
      scene.note();
      this_actor::execute(1e9);
    }
  });
  scene.run();
  const auto dates = scene.dates();
  REQUIRE(dates.size() == 100);
  CHECK_THAT(dates[0], Printed(6.843268));
  for (int i = 1; i <= 5; ++i) {
    CHECK_THAT(dates[i] - dates[i - 1], Printed(15.746610));
    CHECK_THAT(dates[i], Printed(dates[0] + i * (task_seconds + start_seconds + slow_seconds)));
  }
  // What the sixth has left at 100 s takes microseconds; until 150 s, and for 1 s more, links are fast.
  CHECK_THAT(dates[6], Printed(100.000006));
  for (int i = 7; i <= 10; ++i) CHECK_THAT(dates[i] - dates[i - 1], Printed(10.204368));
  CHECK_THAT(dates[11] - dates[10], Printed(15.746610));
}
