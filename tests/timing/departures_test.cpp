// SPDX-License-Identifier: MIT
//
// Where this simulator departs from the other one: numbers of its defects F1 to F7, with what is right, and, where
// they are part of the comparison mode, with what the other one gives.
#include "tests/timing/scene.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace this_actor = rehearse::sim::this_actor;

namespace {

ModelOptions cm02(bool quirks) {
  ModelOptions models = network_without_crosstraffic("cm02");
  models.simgrid_quirks = quirks;
  return models;
}

// Pairs a-b, c-d, e-f with a route each.
Platform pairs(const std::string& links, const std::string& first, const std::string& second,
               const std::string& third = "") {
  std::string content = "<zone id='world' routing='Full'>";
  for (const auto* name : {"a", "b", "c", "d", "e", "f"})
    content += "<host id='" + std::string(name) + "' speed='1Gf'/>";
  content += links + "<route src='a' dst='b'>" + first + "</route><route src='c' dst='d'>" + second + "</route>";
  if (!third.empty()) content += "<route src='e' dst='f'>" + third + "</route>";
  return described(content + "</zone>");
}

std::string link(const std::string& name, const std::string& bandwidth, const std::string& latency,
                 const std::string& policy = "SHARED") {
  return "<link id='" + name + "' bandwidth='" + bandwidth + "' latency='" + latency + "' sharing_policy='" + policy +
         "'/>";
}

std::string over(const std::string& name) { return "<link_ctn id='" + name + "'/>"; }

// Flows of these sizes, one for each pair, all started at 0: when each ends.
std::vector<double> ends(Platform&& platform, const std::vector<double>& bytes, const ModelOptions& models) {
  Scene scene(std::move(platform), models);
  const auto hosts = scene->hosts();
  std::vector<sim::Comm> flows;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    flows.push_back(sim::Comm::sendto_async(hosts[2 * i], hosts[2 * i + 1], bytes[i]));
  scene.run();
  std::vector<double> ends;
  for (const auto& flow : flows) ends.push_back(flow.finish_time());
  return ends;
}

Platform four_links() {
  return pairs(link("l0", "5MBps", "2ms") + link("l1", "5MBps", "1ms") + link("l2", "5MBps", "1ms") +
                   link("l3", "2MBps", "2ms"),
               over("l3"), over("l1") + over("l0") + over("l2"), over("l1") + over("l2") + over("l3"));
}

}  // namespace

TEST_CASE("timing F1: three flows that begin at once on four links end at 0.0732307692, 0.0760 and 0.2020 s",
          "[timing]") {
  // The other simulator's default gives 0.052, 0.104 and 0.154 s: more than the last link can carry.
  CHECK_THAT(ends(four_links(), {1e5, 3e5, 3e5}, cm02(true)), AllPrinted({0.0760, 0.0732307692, 0.2020}, 10));
  // In both its modes shares go by latency, even where they should not (F4). Equal shares:
  CHECK_THAT(ends(four_links(), {1e5, 3e5, 3e5}, cm02(false)), AllPrinted({0.1000, 0.0790, 0.2020}, 10));
}

TEST_CASE("timing F2: a link that becomes faster makes flows in progress faster: 2.8001 s instead of 10.001 s",
          "[timing]") {
  const auto end = [](double bandwidth, bool quirks) {
    Scene scene(pairs(link("l", "1MBps", "1ms"), over("l"), over("l")), cm02(quirks));
    scene.actor("c", [&] {
      this_actor::sleep_for(2);
      scene->link("l").set_bandwidth(bandwidth);
    });
    scene.actor("a", [&] { sim::Comm::sendto(scene->host("a"), scene->host("b"), 1e7); });
    return scene.run();
  };
  CHECK_THAT(end(1e7, false), Printed(2.8001));
  CHECK_THAT(end(1e7, true), Printed(10.001));
  CHECK_THAT(end(5e5, false), Printed(18.002));
  CHECK_THAT(end(5e5, true), Printed(18.002));
}

TEST_CASE("timing F3: flows over a fatpipe have no effect on each other: 1.003 s instead of 1.668 s", "[timing]") {
  const auto platform = [] {
    return pairs(link("wide", "1MBps", "1ms", "FATPIPE") + link("far", "1GBps", "2ms"), over("wide") + over("far"),
                 over("wide"));
  };
  CHECK_THAT(ends(platform(), {1e6}, cm02(false)), AllPrinted({1.003}));
  CHECK_THAT(ends(platform(), {1e6, 1e6}, cm02(false)), AllPrinted({1.003, 1.001}));
  CHECK_THAT(ends(platform(), {1e6, 1e6}, cm02(true)), AllPrinted({1.668, 1.001}, 3));
}

TEST_CASE("timing F4: flows with latencies of 1 and 3 ms share a bottleneck equally, not 3 to 1", "[timing]") {
  const auto rates = [](const std::string& model, bool quirks) {
    ModelOptions models = network_without_crosstraffic(model);
    models.simgrid_quirks = quirks;
    Scene scene(pairs(link("l", "1MBps", "1ms") + link("far", "1GBps", "2ms"), over("l"), over("l") + over("far")),
                models);
    std::vector<double> rates;
    scene.actor("e", [&] {
      const auto near = sim::Comm::sendto_async(scene->host("a"), scene->host("b"), 1e6);
      const auto far = sim::Comm::sendto_async(scene->host("c"), scene->host("d"), 1e6);
      this_actor::sleep_for(0.1);
      rates = {near.rate(), far.rate()};
    });
    scene.run();
    return rates;
  };
  for (const auto* model : {"raw", "cm02"}) {
    CHECK_THAT(rates(model, false), AllPrinted({5e5, 5e5}, 3));
    CHECK_THAT(rates(model, true), AllPrinted({7.5e5, 2.5e5}, 3));
  }
}

TEST_CASE("timing F5: a flow without latency shares with one that has some: 1.999 and 2.000 s, not one by one",
          "[timing]") {
  const auto platform = [] {
    return pairs(link("l", "1MBps", "0") + link("far", "1GBps", "1ms"), over("l"), over("l") + over("far"));
  };
  CHECK_THAT(ends(platform(), {1e6, 1e6}, cm02(false)), AllPrinted({1.999, 2.000}));
  CHECK_THAT(ends(platform(), {1e6, 1e6}, cm02(true)), AllPrinted({2.000, 1.002}, 3));
}

TEST_CASE("timing F6: what else happens has no effect on a disk: 100 bytes at 100 byte/s take 1 s, not 3.999 s",
          "[timing]") {
  Scene scene(described("<zone id='world' routing='Full'><host id='h' speed='1Gf'>"
                        "<disk id='d' read_bw='100Bps' write_bw='100Bps'/></host></zone>"));
  scene.actor("h", [&] {
    scene->disk("h", "d").read(100);
    scene.note();
  });
  scene.actor("h", [] {
    for (int i = 0; i < 2000; ++i) this_actor::sleep_for(0.001);
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({1.0}));
}

TEST_CASE("timing F7: the rate of a flow from host to host is bounded when that is asked for", "[timing]") {
  Scene scene(pairs(link("l", "1MBps", "0"), over("l"), over("l")), cm02(false));
  scene.actor("a", [&] {
    const auto flow = sim::Comm::sendto_init(scene->host("a"), scene->host("b"), 1e6);
    flow.set_rate(2.5e5).start();
    flow.wait();
  });
  CHECK_THAT(scene.run(), Printed(4.0));
}
