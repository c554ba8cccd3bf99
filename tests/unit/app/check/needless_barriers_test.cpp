// SPDX-License-Identifier: MIT
//
// Reports of barriers from explorations.
#include "app/check/needless_barriers.hpp"

#include <catch2/catch.hpp>

namespace rehearse::app {
namespace {

Finding reported(std::string_view id, const std::string& message, ActorId actor) {
  Finding finding;
  finding.id = std::string(id);
  finding.message = message;
  finding.actors = {actor};
  return finding;
}

}  // namespace

TEST_CASE("needless barriers: reports of barriers are taken out of the findings, once for each place") {
  Finding other;
  other.id = "message.lost";
  std::vector<Finding> findings = {reported(smpi::BarrierSearch::place_reported, "rank 0: 17", {0}), other,
                                   reported(smpi::BarrierSearch::place_reported, "rank 1: 17", {1}),
                                   reported(smpi::BarrierSearch::place_reported, "rank 1: 18", {1})};
  const BarriersSeen seen = take_barriers(findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == "message.lost");
  REQUIRE(seen.barriers.size() == 2);
  CHECK(seen.barriers[0].place == 17);
  CHECK(seen.barriers[1].place == 18);
  CHECK(seen.writers.empty());
}

TEST_CASE("needless barriers: ranks that write are counted once") {
  std::vector<Finding> findings = {reported(smpi::BarrierSearch::output_reported, "", {2}),
                                   reported(smpi::BarrierSearch::output_reported, "", {1}),
                                   reported(smpi::BarrierSearch::output_reported, "", {2})};
  CHECK(take_barriers(findings).writers == std::vector<ActorId>{{1}, {2}});
  CHECK(findings.empty());
}

}  // namespace rehearse::app
