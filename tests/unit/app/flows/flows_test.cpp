// SPDX-License-Identifier: MIT
//
// Flows of a file on a platform: their ends by formula, and the places of errors.
#include "app/flows.hpp"

#include <catch2/catch.hpp>

#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

Result<FlowReport> flows_of(const std::string& lines, bool has_limits = false) {
  const testing::TemporaryFile file(lines);
  return simulate_flows({file.path(), "cluster:4", {}, has_limits});
}

std::string fault_of(const std::string& lines) {
  const auto report = flows_of(lines);
  REQUIRE_FALSE(report);
  return report.error().text;
}

}  // namespace

TEST_CASE("flows: a later start makes the end later by the same time") {
  const auto report = flows_of("0 node-0 node-1 1e6\n# nothing\n5 node-2 node-3 1e6\n");
  REQUIRE(report);
  REQUIRE(report.value().ends.size() == 2);
  CHECK(report.value().flows[1].line == 3);
  CHECK(report.value().ends[0].seconds > 0);
  CHECK(report.value().ends[1].seconds == Approx(5 + report.value().ends[0].seconds).epsilon(1e-9));
  CHECK(report.value().ends[0].status == FlowStatus::done);
  CHECK(report.value().ends[0].limits.empty());
}

TEST_CASE("flows: the report contains its platform, and limits cover the time of a flow without a gap") {
  const auto report = flows_of("1 node-0 node-1 1e6\n0 node-0 node-2 1e6\n", true);
  REQUIRE(report);
  const FlowReport& of = report.value();
  CHECK(of.platform.host(of.flows[0].source).name == "node-0");
  CHECK_FALSE(of.network.empty());
  for (std::size_t i = 0; i < of.ends.size(); ++i) {
    const std::vector<LimitedTime>& limits = of.ends[i].limits;
    REQUIRE_FALSE(limits.empty());
    CHECK(limits.front().from.seconds() == of.flows[i].start_seconds);
    CHECK(limits.back().to.seconds() == of.ends[i].seconds);
    for (std::size_t k = 1; k < limits.size(); ++k) CHECK(limits[k - 1].to == limits[k].from);
  }
}

TEST_CASE("flows: an error in the file begins with its line, an error of the machine with the verb") {
  CHECK(fault_of("0 node-0 node-1 1e6\n0 node-0 elsewhere 1e6\n").find(":2: ") != std::string::npos);
  CHECK(fault_of("0 node-0 node-1\n").find(":1: ") != std::string::npos);
  const auto report = simulate_flows({"/nowhere/flows", "cluster:4", {}, false});
  REQUIRE_FALSE(report);
  CHECK(report.error().text.starts_with("/nowhere/flows: "));
  const auto nowhere = simulate_flows({"/nowhere/flows", "/nowhere/platform.xml", {}, false});
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().text.starts_with("flows: "));
}

}  // namespace rehearse::app
