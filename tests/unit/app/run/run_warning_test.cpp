// SPDX-License-Identifier: MIT
//
// Warnings about the conclusions that a simulated time permits: each appears, and does not appear.
#include "app/run_warning.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

std::unique_ptr<Machine> machine_on(const std::string& platform) {
  MachineOptions options;
  options.on = platform;
  auto made = make_machine(options, 2);
  if (!made) FAIL(made.error().text);
  return std::move(made.value());
}

// Of ranks on these hosts.
TimedRun run_on(const std::vector<std::uint32_t>& hosts) {
  TimedRun run{};
  for (const std::uint32_t host : hosts) run.result.actors.emplace_back().host = {host};
  return run;
}

bool warns(const Machine& machine, const TimedRun& run, const std::string& id) {
  const std::vector<RunWarning> all = warnings_of(machine, run);
  return std::ranges::find(all, id, &RunWarning::id) != all.end();
}

}  // namespace

TEST_CASE("run warning: numbers of the network are uncalibrated without the text of a calibration", "[cli]") {
  CHECK(warns(*machine_on("cluster:2"), run_on({0, 1}), "network.uncalibrated"));
  CHECK(warns(*machine_on("cluster:2@infiniband-hdr"), run_on({0, 1}), "network.uncalibrated"));
  const testing::TemporaryFile file(
      "<platform version='4.1'><config><prop id='rehearse/calibrated' value='today, here'/></config>"
      "<zone id='z' routing='Full'><cluster id='c' prefix='h' suffix='' radical='0-1' speed='1Gf' bw='1Gbps' "
      "lat='1us'/></zone></platform>");
  const auto machine = machine_on(file.path());
  CHECK_FALSE(warns(*machine, run_on({0, 1}), "network.uncalibrated"));
  CHECK(machine->description.calibrated == "today, here");
  CHECK(lines_of(machine->description)[0].ends_with("calibrated: today, here"));
}

TEST_CASE("run warning: ranks share hosts where one host has two of them and there are more hosts", "[cli]") {
  const auto cluster = machine_on("cluster:2"), laptop = machine_on("laptop");
  CHECK(warns(*cluster, run_on({0, 1, 0}), "hosts.shared"));
  CHECK_FALSE(warns(*cluster, run_on({0, 1}), "hosts.shared"));
  CHECK_FALSE(warns(*laptop, run_on({0, 0}), "hosts.shared"));
}

TEST_CASE("run warning: measured computation is disturbed by other load or a slow core", "[cli]") {
  const auto machine = machine_on("cluster:2");
  TimedRun run = run_on({0, 1});
  CHECK_FALSE(warns(*machine, run, "computation.disturbed"));  // nothing was measured
  struct Case {
    CoreLoad load;
    bool is_disturbed;
  };
  const Case cases[] = {{{1.0, 0.99, 20, 0}, false},
                        {{1.0, 0.6, 20, 0}, true},
                        {{1.0, 0.99, 20, 20}, true},
                        {{1.0, 0.99, 20, 10}, false},
                        {{0.3, 0.1, 20, 20}, false}};
  for (const Case& each : cases) {
    run.load = each.load;
    CHECK(warns(*machine, run, "computation.disturbed") == each.is_disturbed);
  }
}

TEST_CASE("run warning: the meter of a core counts the time of this process", "[cli]") {
  CoreLoadMeter meter;
  volatile std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 50'000'000; ++i) sum = sum + i;
  const CoreLoad load = meter.measure();
  CHECK(load.processor_seconds > 0);
  CHECK(load.wall_seconds > 0);
  CHECK(load.core_part() < 1.5);
  CHECK(load.slow_probes <= load.probes);
}

}  // namespace rehearse::app
