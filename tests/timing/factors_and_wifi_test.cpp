// SPDX-License-Identifier: MIT
//
// Timing of flows where capacity depends on their number, where factors come from functions, and in the air.
#include "tests/timing/scene.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace this_actor = rehearse::sim::this_actor;

namespace {

// Two hosts over one full-duplex link.
Platform duplex(const std::string& bandwidth) {
  return described("<zone id='world' routing='Full'><host id='sender' speed='1f'/><host id='receiver' speed='1f'/>"
                   "<link id='wire' bandwidth='" +
                   bandwidth +
                   "' latency='10us' sharing_policy='SPLITDUPLEX'/>"
                   "<route src='sender' dst='receiver'><link_ctn id='wire' direction='UP'/></route></zone>");
}

// Sends messages of these sizes at once and notes when each of them has arrived.
void send_at_once(Scene& scene, const std::vector<double>& sizes) {
  scene.actor("receiver", [&] {
    sim::ActivitySet all;
    for (std::size_t i = 0; i < sizes.size(); ++i) all.push(scene->mailbox("box").get_async());
    while (!all.empty()) {
      all.wait_any();
      scene.note();
    }
  });
  scene.actor("sender", [&] {
    sim::ActivitySet all;
    for (const double bytes : sizes) all.push(scene->mailbox("box").put_async("text", bytes));
    all.wait_all();
  });
  scene.run();
}

struct Factors {
  double bytes, bandwidth, latency;
};

// Factors for each of three sizes, of a loopback and of the way to another host.
constexpr Factors local_factors[] = {{64e3, 0.12119203247138953, 650.2212383180362},
                                     {64e6, 0.04281516758309203, 0},
                                     {64e9, 0.17440518795992602, 1017885.3518765072}};
constexpr Factors remote_factors[] = {{64e3, 0.3163352696348148, 1761.4784830658123},
                                      {64e6, 0.10354740223279707, 0},
                                      {64e9, 0.40258935729656503, 970913.4558162984}};

const Factors& factors(double bytes, HostId source, HostId destination) {
  for (const Factors& one : source == destination ? local_factors : remote_factors)
    if (one.bytes == bytes) return one;
  FAIL("no factor for " << bytes << " bytes");
  return local_factors[0];
}

std::vector<double> arrivals_with_factors(ModelOptions models) {
  models.latency_factor = [](double bytes, HostId source, HostId destination, std::span<const LinkId>) {
    return factors(bytes, source, destination).latency;
  };
  models.bandwidth_factor = [](double bytes, HostId source, HostId destination, std::span<const LinkId>) {
    return factors(bytes, source, destination).bandwidth;
  };
  Scene scene(described("<zone id='world' routing='Full'><host id='a' speed='1f'/><host id='b' speed='1f'/>"
                        "<link id='wa' bandwidth='12.5GBps' latency='100ns' sharing_policy='SPLITDUPLEX'/>"
                        "<link id='wb' bandwidth='12.5GBps' latency='100ns' sharing_policy='SPLITDUPLEX'/>"
                        "<link id='self' bandwidth='25GBps' latency='100ns'/>"
                        "<route src='a' dst='a'><link_ctn id='self'/></route>"
                        "<route src='a' dst='b'><link_ctn id='wa' direction='UP'/>"
                        "<link_ctn id='wb' direction='DOWN'/></route></zone>"),
              std::move(models));
  scene.actor("a", [&] {
    for (const double bytes : {64e3, 64e6, 64e9}) {
      for (const auto* destination : {"a", "b"}) {
        sim::Comm::sendto(this_actor::host(), scene->host(destination), bytes);
        scene.note();
      }
    }
  });
  scene.run();
  return scene.dates();
}

// So many stations around an access point, from where a cable leads to node1.
Platform wireless(int stations) {
  std::string content =
      "<zone id='world' routing='Full'><zone id='air' routing='Wifi'><prop id='access_point' value='point'/>";
  for (int i = 1; i <= stations; ++i) content += "<host id='Station " + std::to_string(i) + "' speed='100Mf'/>";
  return described(content +
                   "<link id='AP1' sharing_policy='WIFI' bandwidth='54Mbps,36Mbps,24Mbps' latency='0ms'/>"
                   "<router id='point'/></zone>"
                   "<zone id='ground' routing='Full'><host id='node1' speed='100Mf'/></zone>"
                   "<link id='cable' bandwidth='100Mbps' latency='0ms'/>"
                   "<zoneRoute src='air' dst='ground' gw_src='point' gw_dst='node1'><link_ctn id='cable'/></zoneRoute>"
                   "</zone>");
}

double seconds_between(const std::string& source, const std::string& destination, const ModelOptions& models) {
  Scene scene(wireless(2), models);
  scene.actor("node1", [&] { sim::Comm::sendto(scene->host(source), scene->host(destination), 1000); });
  return scene.run();
}

}  // namespace

TEST_CASE("timing 27: a link that takes two flows at once serves ten in pairs: 0.000336 ... 0.001161 s", "[timing]") {
  Scene scene(duplex("10GBps"));
  scene->link("wire_UP").set_concurrency_limit(2);
  scene->link("wire_DOWN").set_concurrency_limit(2);
  send_at_once(scene, std::vector<double>(10, 1e6));
  CHECK_THAT(scene.dates(), AllPrinted({0.000336, 0.000336, 0.000542, 0.000542, 0.000749, 0.000749, 0.000955, 0.000955,
                                        0.001161, 0.001161}));
}

TEST_CASE("timing 28: a link that loses a tenth with each flow ends 1 to 9 MB at 46.391883 ... 125.965602 s",
          "[timing]") {
  Scene scene(duplex("1MBps"));
  for (const auto* name : {"wire_UP", "wire_DOWN"}) {
    scene->link(name).set_capacity_function([](double capacity, std::uint32_t flows) {
      return flows > 1 ? capacity * (1 - (flows - 1) / 10.0) : capacity;
    });
  }
  send_at_once(scene, {1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 7e6, 8e6, 9e6});
  CHECK_THAT(scene.dates(), AllPrinted({46.391883, 73.883292, 91.924529, 104.295663, 112.886728, 118.777744, 122.643724,
                                        124.934674, 125.965602}));
}

TEST_CASE("timing 29: factors from functions, without cross-traffic: 0.000086 ... 27.801800 s", "[timing]") {
  CHECK_THAT(arrivals_with_factors(network_without_crosstraffic("cm02")),
             AllPrinted({0.000086, 0.000455, 0.060247, 0.109692, 14.889943, 27.801800}));
}

TEST_CASE("timing 30: factors from functions, with cross-traffic on the loopback: 0.000087 ... 28.538713 s",
          "[timing]") {
  CHECK_THAT(arrivals_with_factors(network("cm02")),
             AllPrinted({0.000087, 0.000456, 0.063237, 0.112683, 15.626857, 28.538713}));
}

TEST_CASE("timing 31: 10 MB from a station at 36 Mbps to one at 54 Mbps take 3.888889 s", "[timing]") {
  Scene scene(wireless(2), network("cm02"));
  const auto first = scene->host("Station 1"), second = scene->host("Station 2");
  scene->link("AP1").set_wifi_rate(first, 1);
  scene->link("AP1").set_wifi_rate(second, 0);
  scene.actor("Station 1", [&] { scene->mailbox("box").put("text", 1e7); });
  scene.actor("Station 2", [&] { scene->mailbox("box").receive(); });
  CHECK_THAT(scene.run(), Printed(3.888889));
}

TEST_CASE("timing 32: 1000 bytes through the air take 0.000156 s to the cable and 0.000311 s to another station",
          "[timing]") {
  const ModelOptions with = network("cm02"), without = network_without_crosstraffic("cm02");
  CHECK_THAT(seconds_between("Station 1", "node1", with), Printed(0.000156));
  CHECK_THAT(seconds_between("Station 1", "Station 2", with), Printed(0.000311));
  CHECK_THAT(seconds_between("Station 1", "node1", without), Printed(0.000148));
  CHECK_THAT(seconds_between("Station 1", "Station 2", without), Printed(0.000296));
}

TEST_CASE("timing 33: 22 flows of 100 kB through the air take 0.325926 s, 0.326550 s where the medium decays",
          "[timing]") {
  const auto seconds = [](bool decays) {
    Scene scene(wireless(22), network_without_crosstraffic("cm02"));
    if (decays) {
      scene->link("AP1").set_capacity_function([](double capacity, std::uint32_t flows) {
        constexpr double alone = 5678270, lost_by_each = 5424;
        return capacity * (flows > 20 ? (alone - lost_by_each * (flows - 20)) / alone : 1);
      });
    }
    for (int i = 1; i <= 22; ++i) {
      sim::Comm::sendto_async(scene->host("Station " + std::to_string(i)), scene->host("node1"), 1e5).detach();
    }
    return scene.run();
  };
  CHECK_THAT(seconds(false), Printed(0.325926));
  CHECK_THAT(seconds(true), Printed(0.326550));
}
