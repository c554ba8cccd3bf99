// SPDX-License-Identifier: MIT
//
// Disks, streams, parallel tasks, wifi and other models: closed forms.
#include <catch2/catch.hpp>

#include "tests/support/cost_runs.hpp"

namespace cost_disks_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

constexpr HostId a{0}, b{1}, c{2};

Platform with_disks() {
  return platform_of("<host id='a' speed='1Gf' core='2'><disk id='x' read_bw='100Bps' write_bw='40Bps'/></host>"
                     "<host id='b' speed='1Gf'><disk id='y' read_bw='100Bps' write_bw='50Bps'/></host>"
                     "<host id='c' speed='1Gf'/>"
                     "<link id='l' bandwidth='80Bps' latency='1s'/><link id='m' bandwidth='100Bps' latency='2s'/>"
                     "<route src='a' dst='b'><link_ctn id='l'/></route>"
                     "<route src='a' dst='c'><link_ctn id='m'/></route>");
}

constexpr DiskId x{0}, y{1};

}  // namespace

TEST_CASE("disks: reads share the read bandwidth, writes the write bandwidth, and both the total", "[simcore][disk]") {
  const Platform platform = with_disks();
  const auto costs = costs_of(platform, "raw");
  costs->start(DiskAccess{x, false, 100}, {});
  CHECK(costs->limit({0}, {}).kind == LimitKind::disk);
  CHECK(is_close(run(*costs).at(0), 1));
  const auto both = costs_of(platform, "raw");
  both->start(DiskAccess{x, true, 40}, {});
  both->start(DiskAccess{x, false, 120}, {});
  const auto ends = run(*both);
  CHECK(is_close(ends.at(0), 1));
  CHECK(is_close(ends.at(1), 1.6));
  const auto prior = costs_of(platform, "raw");
  prior->start(DiskAccess{x, false, 100, 3}, {});
  prior->start(DiskAccess{x, false, 100, 1}, {});
  CHECK(is_close(run(*prior).at(0), 4.0 / 3));
}

TEST_CASE("disks: unrelated events do not change the end of an access", "[simcore][disk]") {
  const Platform platform = with_disks();
  const auto costs = costs_of(platform, "raw");
  const auto access = costs->start(DiskAccess{x, false, 100}, {});
  std::map<std::uint32_t, double> ends;
  for (int i = 1; i < 999; ++i) {
    costs->start(Computation{b, 1e3}, at(i * 1e-3));
    run_until(*costs, (i + 1) * 1e-3, ends);
  }
  ends.merge(run(*costs));
  CHECK(ends.at(access.value) == 1);
}

TEST_CASE("disks: a stream has the rate of its narrowest part", "[simcore][disk]") {
  const Platform platform = with_disks();
  const auto costs = costs_of(platform, "raw");
  costs->start(Transfer{.source = a, .destination = b, .bytes = 160, .read_from = x, .write_to = {}}, {});
  CHECK(is_close(run(*costs).at(0), 1 + 2));
  const auto written = costs_of(platform, "raw");
  written->start(Transfer{.source = a, .destination = b, .bytes = 160, .read_from = x, .write_to = y}, {});
  CHECK(is_close(run(*written).at(0), 1 + 3.2));
  // With a payload of 97 %, the disk reads the payload only.
  const auto factors = costs_of(platform, "lv08");
  factors->start(Transfer{.source = a, .destination = b, .bytes = 97, .read_from = x, .write_to = y}, {});
  CHECK(is_close(run(*factors).at(0), 13.01 + 97.0 / 50));
}

TEST_CASE("parallel tasks: a task alone takes the time of its narrowest part", "[simcore][task]") {
  const Platform platform = with_disks();
  const HostId hosts[] = {a, b};
  const double flops[] = {2e9, 1e9};
  const double bytes[] = {0, 160, 0, 0};
  for (const char* network : {"raw", "ptask", "lv08"}) {
    const auto costs = costs_of(platform, ModelOptions{.network = network, .cross_traffic = 0});
    costs->start(ParallelTask{hosts, flops, {}}, {});
    CHECK(is_close(run(*costs).at(0), 2));
    const auto busy = costs_of(platform, ModelOptions{.network = network, .cross_traffic = 0});
    busy->start(ParallelTask{hosts, {}, bytes}, {});
    CHECK(is_close(run(*busy).at(0), 3));
    const auto both = costs_of(platform, ModelOptions{.network = network, .cross_traffic = 0});
    both->start(ParallelTask{hosts, flops, bytes, 0.25}, {});
    CHECK(is_close(run(*both).at(0), 5));
  }
}

TEST_CASE("parallel tasks: tasks share with computations and fail with their hosts", "[simcore][task]") {
  const Platform platform = with_disks();
  const HostId hosts[] = {b, c};
  const double flops[] = {1e9, 1e9};
  for (const char* network : {"raw", "ptask"}) {
    const auto costs = costs_of(platform, network);
    costs->start(ParallelTask{hosts, flops, {}}, {});
    costs->start(Computation{b, 1e9}, {});
    const auto ends = run(*costs);
    CHECK(is_close(ends.at(0), 2));
    CHECK(is_close(ends.at(1), 2));
    const auto lost = costs_of(platform, network);
    lost->start(ParallelTask{hosts, flops, {}}, {});
    std::map<std::uint32_t, double> when;
    run_until(*lost, 0.5, when);
    CHECK(is_close(lost->remaining({0}, at(0.5)), 0.5));
    lost->set_host_on(c, false, at(0.5));
    CHECK(run(*lost).at(0) == -0.5);
  }
}

TEST_CASE("constant: every transfer takes the same time", "[simcore][network]") {
  const Platform platform = with_disks();
  const auto costs = costs_of(platform, "constant");
  costs->start(Transfer{a, b, 1e9}, {});
  costs->start(Transfer{b, c, 0}, {});  // there is no route
  const auto ends = run(*costs);
  CHECK(ends.at(0) == 1);
  CHECK(ends.at(1) == 1);
}

TEST_CASE("last_mile: uploads and downloads limit a transfer, the links in between do not", "[simcore][network]") {
  const Platform platform = platform_of(
      "<host id='a' speed='1f'><prop id='upload' value='10Bps'/><prop id='download' value='100Bps'/>"
      "<prop id='last_mile_latency' value='1s'/></host>"
      "<host id='b' speed='1f'><prop id='upload' value='100Bps'/><prop id='download' value='4Bps'/></host>"
      "<host id='c' speed='1f'><prop id='upload' value='1Bps'/><prop id='download' value='100Bps'/></host>");
  const auto costs = costs_of(platform, "last_mile");
  costs->start(Transfer{a, b, 40}, {});
  costs->start(Transfer{a, c, 60}, {});
  const auto ends = run(*costs);
  CHECK(is_close(ends.at(0), 11));
  CHECK(is_close(ends.at(1), 11));
  CHECK(costs->limit(*costs->start(Transfer{c, c, 1}, at(11)), at(11)).kind == LimitKind::latency);
  const Platform wrong =
      platform_of("<host id='a' speed='1f'><prop id='upload' value='fast'/></host><host id='b' speed='1f'/>");
  CHECK_THAT(make_cost_model({.network = "last_mile"}, wrong).error().text,
             Catch::Contains("'a'") && Catch::Contains("fast"));
}

TEST_CASE("loggps: a message takes its overhead, latency, gaps and handshakes", "[simcore][network]") {
  const Platform platform = with_disks();
  ModelOptions options{.network = "loggps"};
  options.loggps = {.latency = 10, .overhead = 1, .gap = 3, .gap_per_byte = 0.1, .eager_bytes = 50};
  const auto single = costs_of(platform, options);
  single->start(Transfer{a, b, 11}, {});
  CHECK(is_close(run(*single).at(0), 1 + 10 + 1 + 1));
  const auto large = costs_of(platform, options);
  large->start(Transfer{a, b, 51}, {});
  CHECK(is_close(run(*large).at(0), 2 * (10 + 2) + 1 + 5 + 10 + 1));
  // Two from one host begin g apart; two to one host wait for each other there.
  const auto apart = costs_of(platform, options);
  apart->start(Transfer{a, b, 11}, {});
  apart->start(Transfer{a, c, 11}, {});
  apart->start(Transfer{c, b, 41}, {});
  const auto ends = run(*apart);
  CHECK(is_close(ends.at(0), 13));
  CHECK(is_close(ends.at(1), 16));
  CHECK(is_close(ends.at(2), 1 + 10 + 3 + 4 + 1));
}

TEST_CASE("wifi: stations share the time of the medium", "[simcore][network]") {
  const Platform platform =
      platform_of("<zone id='w' routing='Wifi'><prop id='access_point' value='r'/>"
                  "<host id='s' speed='1f'/><host id='t' speed='1f'/><router id='r'/>"
                  "<link id='air' sharing_policy='WIFI' bandwidth='100Bps,50Bps' latency='0'/></zone>");
  const auto single = costs_of(platform, "raw");
  single->start(Transfer{a, b, 100}, {});
  CHECK(is_close(run(*single).at(0), 2));  // it crosses the air twice
  const auto slow = costs_of(platform, "raw");
  const LinkId air = platform.find_link("air").value();
  slow->set_wifi_rate(air, a, 1, {});
  slow->start(Transfer{a, b, 100}, {});
  CHECK(is_close(run(*slow).at(0), 3));
  const auto crowd = costs_of(platform, "raw");
  crowd->set_link_capacity_function(air, wifi_decay(), {});
  for (int i = 0; i < 22; ++i) crowd->start(Transfer{a, b, 1}, {});
  CHECK(is_close(run(*crowd).at(0), 0.44 * 5678270 / (5678270 - 2 * 5424.0)));
}

TEST_CASE("cost model: limits of flows, capacity functions and factors by call have their effects",
          "[simcore][network]") {
  const Platform platform = with_disks();
  const LinkId link = platform.find_link("l").value();
  const auto two = costs_of(platform, "raw");
  two->set_concurrency_limit(link, 2, {});
  for (int i = 0; i < 4; ++i) two->start(Transfer{a, b, 40}, {});
  std::map<std::uint32_t, double> ends;
  run_until(*two, 1.5, ends);
  CHECK(two->limit({3}, at(1.5)).kind == LimitKind::waiting);
  CHECK(two->limit({3}, at(1.5)).link == link);
  ends = run(*two);
  CHECK(is_close(ends.at(0), 2));
  CHECK(is_close(ends.at(3), 3));
  const auto worse = costs_of(platform, "raw");
  worse->set_link_capacity_function(link, [](double capacity, std::uint32_t flows) { return capacity / flows; }, {});
  for (int i = 0; i < 2; ++i) worse->start(Transfer{a, b, 20}, {});
  CHECK(is_close(run(*worse).at(0), 2));
  ModelOptions options{.network = "raw"};
  options.latency_factor = [](double bytes, HostId, HostId, std::span<const LinkId> links) {
    return bytes + static_cast<double>(links.size());
  };
  options.compute_factor = [](HostId, double flops) { return flops < 10 ? 0.5 : 1; };
  const auto called = costs_of(platform, options);
  called->start(Transfer{a, b, 80}, {});
  CHECK(is_close(run(*called).at(0), 81 + 1));
  called->start(Computation{a, 5}, at(82));
  CHECK(is_close(run(*called).at(0) - 82, 1e-8));
}

}  // namespace cost_disks_test
