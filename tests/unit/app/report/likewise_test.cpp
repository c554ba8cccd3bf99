// SPDX-License-Identifier: MIT
//
// Findings of one cause are one finding.
#include "app/likewise.hpp"

#include <catch2/catch.hpp>

namespace rehearse::app {
namespace {

// Rank 0 and a worker wait for each other.
Finding with_worker(std::uint32_t worker, const std::string& followers = "") {
  Finding finding;
  finding.id = "deadlock.cycle";
  finding.message = "rank 0 waits for rank " + std::to_string(worker) + ", which waits for rank 0" + followers;
  finding.policies = {{0, false}};
  finding.actors = {{0}, {worker}};
  finding.locations = {{{0}, "MPI_Recv", "a.c", 4, "main", ""}, {{worker}, "MPI_Send", "a.c", 9, "main", ""}};
  return finding;
}

}  // namespace

TEST_CASE("likewise: findings that differ only in a rank are merged, and the text names the other ranks", "[cli]") {
  std::vector<Finding> findings = {with_worker(3, "; ranks 1, 2 and 4 wait for them in turn"),
                                   with_worker(4, "; rank 5 waits for them in turn"), with_worker(5),
                                   with_worker(6, "; 9 ranks (1-5, 7-10) wait for them in turn")};
  fold_likewise(findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].actors == std::vector<ActorId>{{0}, {3}});
  CHECK(findings[0].likewise.size() == 3);
  CHECK(likewise_text(findings[0]) == "likewise with ranks 4 to 6");
  CHECK(whole_message(findings[0]).ends_with(" in turn (likewise with ranks 4 to 6)"));
}

TEST_CASE("likewise: another line, policy, id or story is another finding", "[cli]") {
  std::vector<Finding> findings(5, with_worker(2));
  findings[1].locations[1].line = 10;
  findings[2].policies = {Policy{}};
  findings[3].id = "deadlock.orphan";
  findings[4].message = "rank 0 polls for rank 2, which waits for rank 0";
  std::vector<Finding> without_lines = {with_worker(2), with_worker(3)};
  for (Finding& finding : without_lines)
    for (Location& location : finding.locations) location.file = "";
  fold_likewise(findings);
  fold_likewise(without_lines);
  CHECK(findings.size() == 5);
  CHECK(without_lines.size() == 2);
  CHECK(likewise_text(findings[0]).empty());
}

TEST_CASE("likewise: findings that each rank reports itself are not merged", "[cli]") {
  std::vector<Finding> findings(2, with_worker(2));
  findings[0].id = findings[1].id = "leak.request";
  fold_likewise(findings);
  CHECK(findings.size() == 2);
}

TEST_CASE("likewise: a few groups of other ranks are listed, further ones are counted", "[cli]") {
  Finding finding = with_worker(1);
  for (std::uint32_t first = 2; first < 24; first += 2) finding.likewise.push_back({{first}, {first + 1}});
  CHECK(likewise_text(finding) ==
        "likewise with ranks 2 and 3; 4 and 5; 6 and 7; 8 and 9; 10 and 11; 12 and 13; 14 and 15; 16 and 17; "
        "and 3 more");
  finding.likewise.resize(1);
  CHECK(likewise_text(finding) == "likewise with ranks 2 and 3");
}

}  // namespace rehearse::app
