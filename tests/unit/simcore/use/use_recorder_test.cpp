// SPDX-License-Identifier: MIT
//
// Slices of work, against sums by hand. tests/unit/simcore/cost_observed_test.cpp compares the sums of random runs.
#include "simcore/use_recorder.hpp"

#include <catch2/catch.hpp>

#include "tests/support/cost_runs.hpp"

namespace use_recorder_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

constexpr HostId a{0}, b{1};

Platform two_hosts() {
  return platform_of("<host id='a' speed='1Gf' core='2'/><host id='b' speed='2Gf'/>"
                     "<link id='l' bandwidth='1MBps' latency='0'/>"
                     "<route src='a' dst='b'><link_ctn id='l'/></route>");
}

CategoryNames three() {
  CategoryNames names;
  CHECK(names.number("red") == 1);
  CHECK(names.number("blue") == 2);
  CHECK(names.number("red") == 1);
  CHECK(names.number("") == 0);
  return names;
}

// The sum of a row between two dates that are ends of slices.
double between(const UseTable& table, const UseRow& row, double from, double until) {
  double sum = 0;
  for (const UseCell& cell : row.cells) {
    const double begin = cell.slice * table.slice.seconds();
    if (begin >= from - 1e-9 && begin < until - 1e-9) sum += cell.amount;
  }
  return sum;
}

// The slices of these tests are powers of two picoseconds times 1000, so that dates lie inside of them.
double tolerance(const UseTable& table, double rate) { return 2 * rate * table.slice.seconds(); }

}  // namespace

TEST_CASE("uses: work is in the slices of its time and in its category", "[simcore][use]") {
  const Platform platform = two_hosts();
  const auto costs = costs_of(platform, "raw");
  UseRecorder recorder(platform);
  REQUIRE(costs->observe_uses(recorder));
  std::map<std::uint32_t, double> ends;
  run_until(*costs, 2, ends);
  Computation red{b, 10e9}, blue{b, 4e9};
  red.category = 1;
  blue.category = 2;
  costs->start(red, at(2));
  run_until(*costs, 4, ends);
  costs->start(blue, at(4));  // both have 1 Gflop/s until 8 s, then red has 2 Gflop/s for 1 s
  run_until(*costs, 12, ends);
  costs->report_uses(at(12));
  const UseTable table = recorder.finish(at(12), three());
  REQUIRE(table.hosts.size() == 2);
  CHECK(table.links.empty());
  CHECK(table.categories == std::vector<std::string>{"", "red", "blue"});
  const UseRow &of_red = table.hosts[0], &of_blue = table.hosts[1];
  CHECK((of_red.subject == 1 && of_red.category == 1 && of_blue.subject == 1 && of_blue.category == 2));
  CHECK(of_red.total() == Approx(10e9).epsilon(1e-12));
  CHECK(of_blue.total() == Approx(4e9).epsilon(1e-12));
  CHECK(between(table, of_red, 0, 2) <= tolerance(table, 2e9));
  CHECK(between(table, of_red, 2, 4) == Approx(4e9).margin(tolerance(table, 2e9)));
  CHECK(between(table, of_red, 4, 8) == Approx(4e9).margin(tolerance(table, 2e9)));
  CHECK(between(table, of_blue, 4, 8) == Approx(4e9).margin(tolerance(table, 1e9)));
  CHECK(between(table, of_red, 8, 9) == Approx(2e9).margin(tolerance(table, 2e9)));
  CHECK(between(table, of_red, 9, 12) <= tolerance(table, 2e9));
}

TEST_CASE("uses: a moved, suspended and cancelled activity counts where and while it worked", "[simcore][use]") {
  const Platform platform = two_hosts();
  const auto costs = costs_of(platform, "raw");
  UseRecorder recorder(platform);
  REQUIRE(costs->observe_uses(recorder));
  std::map<std::uint32_t, double> ends;
  Computation work{a, 100e9};
  work.category = 1;
  const ActivityId moving = costs->start(work, at(0));
  run_until(*costs, 1, ends);
  costs->set_host(moving, b, at(1));
  run_until(*costs, 3, ends);
  costs->suspend(moving, at(3));
  run_until(*costs, 7, ends);
  costs->resume(moving, at(7));
  run_until(*costs, 8, ends);
  Transfer transfer{a, b, 5e6};
  transfer.category = 2;
  const ActivityId sent = *costs->start(transfer, at(8));
  run_until(*costs, 10, ends);
  costs->cancel(moving, at(10));
  costs->cancel(sent, at(10));
  run_until(*costs, 11, ends);
  const UseTable table = recorder.finish(at(11), three());
  REQUIRE(table.hosts.size() == 2);
  CHECK(table.hosts[0].total() == Approx(1e9));
  CHECK(table.hosts[1].total() == Approx(2 * (2e9 + 1e9 + 2e9)));
  CHECK(between(table, table.hosts[1], 3, 7) <= tolerance(table, 2e9));
  REQUIRE(table.links.size() == 1);
  CHECK(table.links[0].category == 2);
  CHECK(table.links[0].total() == Approx(2e6));
}

TEST_CASE("uses: a table can be taken during a run, and the run goes on", "[simcore][use]") {
  const Platform platform = two_hosts();
  const auto costs = costs_of(platform, "raw");
  UseRecorder recorder(platform);
  REQUIRE(costs->observe_uses(recorder));
  std::map<std::uint32_t, double> ends;
  costs->start(Computation{b, 20e9}, at(0));
  for (int second = 1; second <= 10; ++second) {
    run_until(*costs, second, ends);
    costs->report_uses(at(second));
    const UseTable table = recorder.finish(at(second), {});
    REQUIRE(table.hosts.size() == 1);
    CHECK(table.hosts[0].total() == Approx(2e9 * second));
    CHECK(table.hosts[0].cells.back().slice < table.slices);
  }
}

TEST_CASE("uses: a run without any work has one slice and no rows", "[simcore][use]") {
  const Platform platform = two_hosts();
  UseRecorder recorder(platform);
  const UseTable table = recorder.finish({}, {});
  CHECK(table.slices == 1);
  CHECK((table.hosts.empty() && table.links.empty()));
}

TEST_CASE("uses: a model of packets does not tell them", "[simcore][use]") {
  const Platform platform = two_hosts();
  UseRecorder recorder(platform);
  CHECK(!costs_of(platform, "packet")->observe_uses(recorder));
}

}  // namespace use_recorder_test
