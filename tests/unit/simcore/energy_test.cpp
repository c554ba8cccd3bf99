// SPDX-License-Identifier: MIT
//
// Energy and loads are exact sums.
#include "simcore/energy.hpp"

#include <catch2/catch.hpp>

#include "tests/support/cost_runs.hpp"

namespace energy_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

Platform with_watts(const std::string& watts = "100:120:200, 93:170", const std::string& off = "10") {
  return platform_of("<host id='a' speed='100Mf,50Mf' core='4'><prop id='wattage_per_state' value='" + watts +
                     "'/><prop id='wattage_off' value='" + off +
                     "'/></host>"
                     "<host id='b' speed='100Mf'/>"
                     "<link id='l' bandwidth='100kBps' latency='0'>"
                     "<prop id='wattage_range' value='1:3'/></link>"
                     "<route src='a' dst='b'><link_ctn id='l'/></route>");
}

constexpr HostId a{0}, b{1};

}  // namespace

TEST_CASE("energy: the consumption of a host depends on its load, its speed state, and whether it is on",
          "[simcore][energy]") {
  const Platform platform = with_watts();
  const auto costs = costs_of(platform, "raw");
  const auto energy = std::move(HostEnergy::make(platform, *costs).value());
  std::map<std::uint32_t, double> ends;
  run_until(*costs, 10, ends);
  CHECK(energy->joules(a, at(10)) == Approx(1000));
  costs->start(Computation{a, 1e8}, at(10));  // a quarter of the cores for 1 s
  run_until(*costs, 20, ends);
  CHECK(energy->joules(a, at(20)) == Approx(2000 + 120 + 80 * 0.25 - 100));
  costs->set_pstate(a, 1, at(20));
  for (int i = 0; i < 8; ++i) costs->start(Computation{a, 1e8}, at(20));  // full for 4 s
  run_until(*costs, 30, ends);
  CHECK(energy->joules(a, at(30)) == Approx(2040 + 4 * 170 + 6 * 93));
  costs->set_host_on(a, false, at(30));
  run_until(*costs, 40, ends);
  CHECK(energy->joules(a, at(40)) == Approx(2040 + 4 * 170 + 6 * 93 + 100));
  CHECK(energy->idle_joules(a, at(40)) == Approx(2 * 1000 + 930 + 100));  // 10 s in the second state, then off
  CHECK(energy->is_metered(a));
  CHECK(!energy->is_metered(b));
  CHECK(energy->joules(b, at(40)) == 0);
  CHECK(energy->joules(at(40)) == energy->joules(a, at(40)));
}

TEST_CASE("energy: the consumption of a link depends on its load", "[simcore][energy]") {
  const Platform platform = with_watts();
  const auto costs = costs_of(platform, ModelOptions{.network = "cm02", .cross_traffic = 0});
  const auto energy = std::move(LinkEnergy::make(platform, *costs).value());
  LinkLoadMeter meter(platform, *costs);
  const LinkId link = platform.find_link("l").value();
  std::map<std::uint32_t, double> ends;
  costs->start(Transfer{a, b, 1e6, 5e4}, {});  // half of it for 20 s
  run_until(*costs, 30, ends);
  CHECK(energy->joules(link, at(30)) == Approx(20 * 2 + 10 * 1));
  CHECK(meter.bytes(link, at(30)) == Approx(1e6));
  CHECK(meter.average_rate(link, at(30)) == Approx(1e6 / 30));
  CHECK(meter.greatest_rate(link) == Approx(5e4));
  CHECK(meter.least_rate(link) == 0);
}

TEST_CASE("energy: the consumption of a wifi link depends on whether its medium is used", "[simcore][energy]") {
  const Platform platform =
      platform_of("<zone id='w' routing='Wifi'><prop id='access_point' value='r'/>"
                  "<host id='s' speed='1f'/><host id='t' speed='1f'/><router id='r'/>"
                  "<link id='air' sharing_policy='WIFI' bandwidth='100Bps' latency='0'>"
                  "<prop id='wifi_watt_values' value='0:1:1:0'/><prop id='control_duration' value='0'/></link></zone>");
  const auto costs = costs_of(platform, "raw");
  const auto energy = std::move(LinkEnergy::make(platform, *costs).value());
  std::map<std::uint32_t, double> ends;
  run_until(*costs, 5, ends);
  costs->start(Transfer{a, b, 100}, at(5));
  run_until(*costs, 10, ends);
  CHECK(energy->joules(at(10)) == Approx(6));
}

TEST_CASE("energy: the average load of a host is relative to its possible flops", "[simcore][energy]") {
  const Platform platform = with_watts();
  const auto costs = costs_of(platform, "raw");
  HostLoadMeter meter(platform, *costs);
  std::map<std::uint32_t, double> ends;
  costs->start(Computation{a, 2e8}, {});
  run_until(*costs, 1, ends);
  CHECK(meter.load(a) == Approx(0.25));
  costs->set_pstate(a, 1, at(1));
  run_until(*costs, 4, ends);  // the rest took 2 s
  CHECK(meter.flops(a, at(4)) == Approx(2e8));
  CHECK(meter.average_load(a, at(4)) == Approx(2e8 / (4e8 + 3 * 2e8)));
  meter.reset(a, at(4));
  CHECK(meter.flops(a, at(4)) == 0);
}

TEST_CASE("energy: wrong properties are refused by name", "[simcore][energy]") {
  for (const auto& [watts, off, says] :
       {std::tuple{"100:200", "10", "each of its 2"}, std::tuple{"1:2,x", "10", "'1:2,x'"},
        std::tuple{"1,2", "10", "idle:max"}, std::tuple{"1:2,3:4", "-1", "wattage_off"}}) {
    const Platform platform = with_watts(watts, off);
    const auto costs = costs_of(platform, "raw");
    CHECK_THAT(HostEnergy::make(platform, *costs).error().text, Catch::Contains("'a'") && Catch::Contains(says));
  }
}

}  // namespace energy_test
