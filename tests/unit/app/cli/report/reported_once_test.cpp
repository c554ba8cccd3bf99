// SPDX-License-Identifier: MIT
//
// A fault of several ranks at one line is one paragraph.
#include <catch2/catch.hpp>

#include "app/cli/report/reported_once.hpp"

using namespace rehearse;
using namespace rehearse::cli;

namespace {

Finding at_line(std::uint32_t rank, int line, std::string what = "the count is -1") {
  Finding finding;
  finding.id = "argument.count";
  finding.actors = {{rank}};
  finding.locations = {{{rank}, "MPI_Send(buf, -1)", "ring.c", line, "main", std::move(what)}};
  return finding;
}

}  // namespace

TEST_CASE("reported once: equal findings at one line are one, with its ranks", "[cli]") {
  const std::vector<Finding> findings{at_line(0, 7), at_line(1, 7), at_line(2, 9), at_line(3, 7), at_line(3, 7)};
  const std::vector<ReportedOnce> reported = reported_once(findings);
  REQUIRE(reported.size() == 2);
  CHECK(reported[0].finding == &findings[0]);
  CHECK(reported[0].likewise() == " (likewise ranks 1 and 3)");
  CHECK(reported[1].finding == &findings[2]);
  CHECK(reported[1].likewise().empty());
}

TEST_CASE("reported once: another text, another severity or no place is reported separately", "[cli]") {
  std::vector<Finding> findings{at_line(0, 7), at_line(1, 7, "the count is -2"), at_line(2, 7), at_line(3, 7)};
  findings[2].severity = Severity::warning;
  findings[3].locations.clear();
  CHECK(reported_once(findings).size() == 4);
}

TEST_CASE("reported once: of many ranks a few are listed", "[cli]") {
  std::vector<Finding> findings;
  for (std::uint32_t rank = 0; rank < 64; ++rank) findings.push_back(at_line(rank, 7));
  const std::vector<ReportedOnce> reported = reported_once(findings);
  REQUIRE(reported.size() == 1);
  CHECK(reported[0].likewise() == " (likewise ranks 1, 2, 3, 4, 5, 6, 7, 8 and 55 more)");
}
