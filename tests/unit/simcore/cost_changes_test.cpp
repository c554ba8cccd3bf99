// SPDX-License-Identifier: MIT
//
// Cost models while resources change: by hand, by profile, and when they fail.
#include <catch2/catch.hpp>

#include "tests/support/cost_runs.hpp"
#include "tests/support/temporary_file.hpp"

using namespace rehearse;
using namespace rehearse::testing;

namespace {

constexpr HostId a{0}, b{1}, c{2}, d{3};

// Four hosts; a-b and c-d over the link `l`.
Platform one_link(const std::string& link, const std::string& host = "") {
  return platform_of("<host id='a' speed='1Gf,2Gf' core='2' " + host +
                     "/><host id='b' speed='1Gf'/>"
                     "<host id='c' speed='1Gf'/><host id='d' speed='1Gf'/>"
                     "<link id='l' " +
                     link +
                     "/>"
                     "<route src='a' dst='b'><link_ctn id='l'/></route>"
                     "<route src='c' dst='d'><link_ctn id='l'/></route>");
}

std::string trace(const TemporaryFile& file, const char* kind) { return std::string(kind) + "='" + file.path() + "'"; }

}  // namespace

TEST_CASE("cost model: flows in progress follow the bandwidth up and down, unless quirks are selected",
          "[simcore][network]") {
  const Platform platform = one_link("bandwidth='1MBps' latency='1ms'");
  for (const bool has_quirks : {false, true}) {
    const auto costs = costs_of(platform, ModelOptions{.network = "raw", .simgrid_quirks = has_quirks});
    std::map<std::uint32_t, double> ends;
    costs->start(Transfer{a, b, 1e7}, {});
    run_until(*costs, 2, ends);
    costs->set_bandwidth({0}, 1e7, at(2));
    CHECK(is_close(run(*costs).at(0), has_quirks ? 10.001 : 2.8001));

    const auto slower = costs_of(platform, ModelOptions{.network = "raw", .simgrid_quirks = has_quirks});
    slower->start(Transfer{a, b, 1e7}, {});
    run_until(*slower, 2, ends);
    slower->set_bandwidth({0}, 5e5, at(2));
    CHECK(is_close(run(*slower).at(0), 18.002));
  }
}

TEST_CASE("cost model: a new latency moves the window's bound", "[simcore][network]") {
  const Platform platform = one_link("bandwidth='10GBps' latency='1ms'");
  const auto costs = costs_of(platform, ModelOptions{.network = "cm02", .cross_traffic = 0});
  std::map<std::uint32_t, double> ends;
  const double first = 4194304 / 0.002, second = 4194304 / 0.02;
  costs->start(Transfer{a, b, 2 * first}, {});
  run_until(*costs, 1.001, ends);
  CHECK(costs->limit({0}, at(1.001)).kind == LimitKind::window);
  costs->set_latency({0}, 0.01, at(1.001));
  CHECK(is_close(run(*costs).at(0), 1.001 + first / second));
}

TEST_CASE("cost model: CM02 is fair for any latencies, with quirks it is not", "[simcore][network]") {
  const Platform platform = platform_of("<host id='a' speed='1f'/><host id='b' speed='1f'/><host id='c' speed='1f'/>"
                                        "<link id='l' bandwidth='1MBps'/><link id='p' bandwidth='1GBps' latency='1ms'/>"
                                        "<link id='q' bandwidth='1GBps' latency='3ms'/>"
                                        "<route src='a' dst='b'><link_ctn id='l'/><link_ctn id='p'/></route>"
                                        "<route src='a' dst='c'><link_ctn id='l'/><link_ctn id='q'/></route>");
  for (const bool has_quirks : {false, true}) {
    const auto costs = costs_of(platform, ModelOptions{.network = "raw", .simgrid_quirks = has_quirks});
    costs->start(Transfer{a, b, 1e9}, {});
    costs->start(Transfer{a, c, 1e9}, {});
    std::map<std::uint32_t, double> ends;
    run_until(*costs, 1, ends);
    const double part = has_quirks ? 0.75 : 0.5;
    CHECK(is_close(costs->rate({0}, at(1)), part * 1e6));
    CHECK(is_close(costs->rate({1}, at(1)), (1 - part) * 1e6));
  }
}

TEST_CASE("cost model: a value of a profile holds from its date on", "[simcore][network]") {
  const TemporaryFile bandwidths("1 500000\n3 2000000\n"), latencies("5 0.5\n");
  const Platform platform = one_link("bandwidth='1MBps' latency='0' " + trace(bandwidths, "bandwidth_file") + " " +
                                     trace(latencies, "latency_file"));
  const auto costs = costs_of(platform, "raw");
  costs->start(Transfer{a, b, 4e6}, {});  // 1 MB until 1, 1 MB until 3, then 2 MB/s
  std::map<std::uint32_t, double> ends;
  run_until(*costs, 10, ends);
  CHECK(is_close(ends.at(0), 4));
  CHECK(costs->next_date() == CostModel::never);
  CHECK(costs->bandwidth({0}, at(10)) == 2e6);
  costs->start(Transfer{a, b, 2e6}, at(10));
  CHECK(is_close(run(*costs).at(0), 11.5));
}

TEST_CASE("cost model: changes of the speed between two ends of computations are no events", "[simcore][compute]") {
  const TemporaryFile speeds("0 1\n1 0.5\nPERIODICITY 2\n");
  const Platform platform = one_link("bandwidth='1MBps'", trace(speeds, "speed_file"));
  const auto costs = costs_of(platform, "raw");
  costs->start(Computation{a, 1.5e12}, {});
  const TimePoint end = costs->next_date();
  CHECK(is_close(end.seconds(), 2000));
  CHECK(is_close(run(*costs).at(0), 2000));
  CHECK(costs->host_speed(a, at(2000.5)) == 1e9);
  CHECK(costs->host_speed(a, at(2001)) == 5e8);
}

TEST_CASE("cost model: a user's bound holds in true flops under a speed profile", "[simcore][compute]") {
  const TemporaryFile speeds("1 0.5\n3 1\n");
  const Platform platform = one_link("bandwidth='1MBps'", trace(speeds, "speed_file"));
  const auto costs = costs_of(platform, "raw");
  // 0.8 s at 1, 2 s at the host's 0.5, then at the bound again.
  costs->start(Computation{.host = a, .flops = 2.6e9, .rate = 8e8}, {});
  CHECK(is_close(run(*costs).at(0), 3 + (2.6 - 0.8 - 1) / 0.8));
}

TEST_CASE("cost model: computations follow speed states, threads, bounds, priorities and moves", "[simcore][compute]") {
  const Platform platform = one_link("bandwidth='1MBps'");
  const auto costs = costs_of(platform, "raw");
  std::map<std::uint32_t, double> ends;
  costs->start(Computation{a, 4e9}, {});
  run_until(*costs, 1, ends);
  costs->set_pstate(a, 1, at(1));
  CHECK(costs->pstate(a) == 1);
  CHECK(is_close(run(*costs).at(0), 2.5));

  const auto threads = costs_of(platform, "raw");
  threads->start(Computation{.host = a, .flops = 1e9, .threads = 4}, {});
  CHECK(threads->limit({0}, {}).kind == LimitKind::host);
  CHECK(is_close(run(*threads).at(0), 2));

  const auto bounded = costs_of(platform, "raw");
  bounded->start(Computation{.host = b, .flops = 1e9, .rate = 2.5e8}, {});
  CHECK(bounded->limit({0}, {}).kind == LimitKind::rate);
  CHECK(is_close(run(*bounded).at(0), 4));

  const auto prior = costs_of(platform, "raw");
  prior->start(Computation{.host = b, .flops = 1e9, .priority = 3}, {});
  prior->start(Computation{.host = b, .flops = 1e9}, {});
  const auto shared = run(*prior);
  CHECK(is_close(shared.at(0), 4.0 / 3));
  CHECK(is_close(shared.at(1), 2));

  const auto moved = costs_of(platform, "raw");
  moved->start(Computation{a, 2e9}, {});
  moved->start(Computation{b, 2e9}, {});
  run_until(*moved, 1, ends);
  moved->set_host({0}, b, at(1));
  CHECK(is_close(moved->remaining({0}, at(1)), 1e9));
  CHECK(is_close(run(*moved).at(0), 3));
}

TEST_CASE("cost model: a suspended activity makes no progress, also during its latency", "[simcore][network]") {
  const Platform platform = one_link("bandwidth='1MBps' latency='1s'");
  const auto costs = costs_of(platform, "raw");
  std::map<std::uint32_t, double> ends;
  costs->start(Transfer{a, b, 1e6}, {});
  run_until(*costs, 0.5, ends);
  costs->suspend({0}, at(0.5));
  run_until(*costs, 10, ends);
  costs->resume({0}, at(10));
  run_until(*costs, 11, ends);
  costs->suspend({0}, at(11));
  CHECK(costs->limit({0}, at(11)).kind == LimitKind::suspended);
  CHECK(is_close(costs->remaining({0}, at(11)), 5e5));
  run_until(*costs, 20, ends);
  costs->resume({0}, at(20));
  CHECK(is_close(run(*costs).at(0), 20.5));
}

TEST_CASE("cost model: an activity fails at the date at which a host or link that it needs goes off",
          "[simcore][network][compute]") {
  const TemporaryFile states("2 0\n3 1\n");
  const Platform platform = one_link("bandwidth='1MBps' " + trace(states, "state_file"), trace(states, "state_file"));
  const auto costs = costs_of(platform, "raw");
  costs->start(Computation{a, 1e10}, {});
  costs->start(Transfer{c, d, 1e7}, {});
  costs->start(Transfer{a, b, 1e7}, {});
  costs->start(Computation{b, 1e9}, {});
  std::map<std::uint32_t, double> ends;
  run_until(*costs, 2.5, ends);
  CHECK(ends == std::map<std::uint32_t, double>{{0, -2}, {1, -2}, {2, -2}, {3, 1}});
  CHECK_FALSE(costs->is_host_on(a, at(2.5)));
  // Started while it is off, something fails at once.
  const auto late = costs->start(Computation{a, 1}, at(2.5));
  const auto flow = costs->start(Transfer{c, d, 1}, at(2.5));
  const auto cancelled = costs->start(Transfer{c, d, 1}, at(2.5));
  costs->cancel(*cancelled, at(2.5));
  CHECK(costs->next_date() == at(2.5));
  std::vector<Ended> ended;
  costs->advance(at(2.5), ended);
  REQUIRE(ended.size() == 2);
  CHECK((ended[0].failed && ended[0].activity == late));
  CHECK((ended[1].failed && ended[1].activity == *flow));
  run_until(*costs, 3, ends);
  const auto again = costs->start(Computation{a, 1e9}, at(3));
  CHECK(is_close(run(*costs).at(again.value), 4));
}

TEST_CASE("cost model: stochastic profiles repeat with their seed", "[simcore][compute]") {
  const TemporaryFile speeds("STOCHASTIC LOOP\nEXP 2 UNIF 0.1 1\n");
  const Platform platform = one_link("bandwidth='1MBps'", trace(speeds, "speed_file"));
  const auto end = [&](std::uint64_t seed, double flops) {
    ModelOptions options{.network = "raw"};
    options.seed = seed;
    const auto costs = costs_of(platform, options);
    costs->start(Computation{a, flops}, {});
    return run(*costs).at(0);
  };
  CHECK(end(1, 1e12) == end(1, 1e12));
  CHECK(end(1, 1e12) != end(2, 1e12));
  CHECK(end(1, 1e12) == Approx(1000 / 0.55).epsilon(0.1));

  // In steps or at once, with a report of each change or without: the same.
  ModelOptions options{.network = "raw"};
  const auto costs = costs_of(platform, options);
  double date = 0;
  for (int i = 0; i < 100; ++i) {
    costs->start(Computation{a, 1e10}, at(date));
    date = run(*costs).at(0);
  }
  CHECK(date == Approx(end(1, 1e12)).epsilon(1e-9));
  struct Watcher : ResourceObserver {
    int changes = 0;
    void on_host_speed(HostId, double, TimePoint) override { ++changes; }
  } watcher;
  const auto watched = costs_of(platform, options);
  watched->observe(watcher, {.speeds = true, .loads = false});
  watched->start(Computation{a, 1e12}, {});
  CHECK(run(*watched).at(0) == Approx(end(1, 1e12)).epsilon(1e-9));
  CHECK(watcher.changes > 1000);
}
