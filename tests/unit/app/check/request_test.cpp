// SPDX-License-Identifier: MIT
//
// The default request of a check.
#include "app/check.hpp"

#include <catch2/catch.hpp>

#include "app/check/exploration.hpp"
#include "app/policies.hpp"

namespace rehearse::app {

TEST_CASE("check: the default request names the program and has all policies") {
  const CheckRequest request = default_request("./ring", 4, {"-v"});
  CHECK(request.job.path == "./ring");
  CHECK(request.job.arguments == std::vector<std::string>{"-v"});
  CHECK(request.job.ranks == 4);
  CHECK(request.semantics.policies == make_policies("all", "both").value());
  CHECK(request.counterexample.empty());
}

TEST_CASE("check: the default request is bounded in memory and in the length of a step") {
  const CheckRequest request = default_request("./ring", 2);
  CHECK(request.bounds.max_step_seconds == 60);
  CHECK(request.bounds.max_bytes < mc::Bounds{}.max_bytes);
  CHECK(request.strategy.jobs >= 1);
}

TEST_CASE("check: the options of an exploration have hooks that outlive the request") {
  mc::ExploreOptions options;
  {
    const CheckRequest request = default_request("./ring", 2);
    options = judged_options(request);
  }
  GlobalState state;
  state.is_never = true;
  state.predicate = "a == 1";
  const std::vector<Finding> findings = options.hooks.report_state(state);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == "property.never");
  CHECK_FALSE(options.hooks.prepare);
  CHECK_FALSE(options.hooks.progress);
}

TEST_CASE("check: mixed buffering is refused for searches that do not support it") {
  CheckRequest request = default_request("./ring", 2);
  request.semantics.policies = make_policies("mixed", "both").value();
  const auto refuse = [&request] {
    const Result<CheckReport> report = check(request, {});
    REQUIRE_FALSE(report);
    CHECK(report.error().text.find("--buffering mixed does not work with") != std::string::npos);
  };
  for (const mc::Reduction reduction : {mc::Reduction::none, mc::Reduction::odpor}) {
    request.strategy.reduction = reduction;
    refuse();
  }
  request.strategy.reduction = mc::Reduction::matching;
  request.strategy.search = mc::Search::predict;
  refuse();
}

TEST_CASE("check: findings that are not selected are not reported") {
  CheckRequest request = default_request("./ring", 2);
  REQUIRE(request.selection.leave_out({"property", "race.wildcard"}));
  const mc::ExploreOptions options = judged_options(request);
  CHECK(options.hooks.report_state(GlobalState{}).empty());
  CHECK_FALSE(options.semantics.find_races);
}

TEST_CASE("check: the answer about processes that died is inconclusive and has the reason of their end") {
  const CheckReport report = report_of_death(default_request("./ring", 2), "by signal 9 (Killed)");
  CHECK(answer_of(report.verdict) == Answer::inconclusive);
  REQUIRE(report.verdict.reasons.size() == 1);
  CHECK(report.verdict.reasons[0].find("by signal 9 (Killed)") != std::string::npos);
  CHECK(report.program == "./ring");
}

TEST_CASE("check: a missing program is an error, not an exit") {
  const Result<CheckReport> report = check(default_request("/nowhere/ring", 2));
  REQUIRE_FALSE(report);
  CHECK(report.error().text.find("/nowhere/ring") != std::string::npos);
}

TEST_CASE("check: an exploration cannot continue from a file that --save did not write") {
  CheckRequest request = default_request("/proc/self/exe", 2);
  request.resume = "/dev/null";
  const Result<CheckReport> report = check(request);
  REQUIRE_FALSE(report);
  CHECK(report.error().text.starts_with("--resume: "));
}

}  // namespace rehearse::app
