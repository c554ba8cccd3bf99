// SPDX-License-Identifier: MIT
//
// The line with the progress of a slow simulation.
#include "app/cli/simulation_line.hpp"

#include <catch2/catch.hpp>

namespace simulation_line_test {

using namespace rehearse;
using cli::simulation_text;

namespace {

TimePoint date(double seconds) { return TimePoint{} + Duration::from_seconds(seconds); }

}  // namespace

TEST_CASE("simulation line: it has the simulated time, the real time and their ratio", "[cli]") {
  CHECK(simulation_text(date(0.0123), 12) == "simulated 0.0123 s in 12 s: a second takes 976 s");
  CHECK(simulation_text(date(250), 2) == "simulated 250 s in 2 s: a second takes 0.008 s");
}

TEST_CASE("simulation line: at date 0 there is no ratio", "[cli]") {
  CHECK(simulation_text(date(0), 3) == "simulated 0 s in 3 s");
}

TEST_CASE("simulation line: without a terminal or a wish there is no line", "[cli]") {
  CHECK(!cli::SimulationLine(false).shows());
}

}  // namespace simulation_line_test
