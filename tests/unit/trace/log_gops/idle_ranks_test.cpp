// SPDX-License-Identifier: MIT
//
// Schedules with many idle ranks are simulated without them: the results are those of the whole schedule.
#include <catch2/catch.hpp>
#include <string>

#include "simcore/support/random.hpp"
#include "trace/goal.hpp"
#include "trace/log_gops.hpp"
#include "trace/log_gops/idle_ranks.hpp"
#include "trace/log_gops/simulator.hpp"

namespace idle_ranks_test {

using namespace rehearse;
using namespace rehearse::trace;

namespace {

constexpr std::uint32_t ranks = 3000, busy = 12;

// Of some ranks, with messages also to and from others that have no operations. Not all of them end.
std::string random_schedule(std::uint64_t seed) {
  SplitMix random(seed);
  const auto rank_of = [&](std::uint64_t number) { return std::to_string(number * (ranks / busy) + seed % 7); };
  std::string text = "num_ranks " + std::to_string(ranks) + "\n";
  for (std::uint32_t i = 0; i < busy; ++i) {
    if (random.below(4) == 0) continue;
    text += "rank " + rank_of(i) + " {\n";
    const std::uint64_t count = 1 + random.below(8);
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::string name = "l" + std::to_string(k), bytes = std::to_string(random.below(100000)) + "b";
      const std::string peer = rank_of(random.below(busy)),
                        cpu = " cpu " + std::to_string(random.below(2) * (seed % 2));
      switch (random.below(4)) {
        case 0: text += name + ": calc " + std::to_string(random.below(5000)) + cpu + "\n"; break;
        case 1: text += name + ": send " + bytes + " to " + peer + cpu + "\n"; break;
        default: text += name + ": recv " + bytes + " from " + (random.below(2) ? "-1" : peer) + cpu + "\n";
      }
      if (k > 0 && random.below(2)) text += name + " requires l" + std::to_string(random.below(k)) + "\n";
    }
    text += "}\n";
  }
  return text;
}

}  // namespace

TEST_CASE("LogGOPS: idle ranks change nothing", "[trace]") {
  std::uint64_t events = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto schedule = read_goal_text(random_schedule(seed), "random");
    if (!schedule) FAIL(schedule.error().text);
    REQUIRE(log_gops::has_many_idle_ranks(schedule.value()));
    CHECK(log_gops::busy_ranks(schedule.value()).ranks.size() <= busy);
    const auto found = simulate_log_gops(schedule.value(), {});
    REQUIRE(found);
    const LogGopsResult wanted = log_gops::run_simulation(schedule.value(), {});
    INFO("seed " << seed);
    CHECK(found.value().ends == wanted.ends);
    CHECK(found.value().events == wanted.events);
    CHECK(found.value().begun == wanted.begun);
    CHECK(found.value().not_begun == wanted.not_begun);
    CHECK(found.value().not_received == wanted.not_received);
    events += wanted.events;
  }
  CHECK(events > 1000);
}

TEST_CASE("LogGOPS: a schedule of idle ranks ends at 0", "[trace]") {
  GoalSchedule schedule;
  schedule.blocks.resize(2'000'000);
  schedule.operations.resize(1);  // the one behind the last
  const auto found = simulate_log_gops(schedule, {});
  REQUIRE(found);
  CHECK(found.value().ends == std::vector<std::uint64_t>(2'000'000));
  CHECK(found.value().events == 0);
}

}  // namespace idle_ranks_test
