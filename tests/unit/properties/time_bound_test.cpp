// SPDX-License-Identifier: MIT
//
// Runs that take too long.
#include "properties/time_bound.hpp"

#include <catch2/catch.hpp>

using namespace rehearse;

TEST_CASE("time_bound: who ends too late is named, and a run that ends at the bound is in time", "[properties]") {
  RunResult run;
  run.actors.resize(3);
  run.actors[1].stopped = TimePoint{1'500'000'000'000};
  run.actors[2].stopped = run.end = TimePoint{2'000'000'000'000};
  CHECK_FALSE(properties::judge_time(run, "cluster:3", 2));
  const auto finding = properties::judge_time(run, "cluster:3", 1.75);
  REQUIRE(finding);
  CHECK(finding->id == "time.bound");
  CHECK(finding->message == "takes 2.000000000 s on cluster:3, more than 1.75 s (--time-bound)");
  CHECK(finding->actors == std::vector<ActorId>{{2}});
  REQUIRE(finding->locations.size() == 1);
  CHECK(finding->locations[0].what == "ends at 2.000000000 s");
}
