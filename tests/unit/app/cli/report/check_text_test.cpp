// SPDX-License-Identifier: MIT
//
// The answer of a check, in one word, in one line and as JSON.
#include "app/cli/report/check_text.hpp"

#include <catch2/catch.hpp>

#include "app/exit_status.hpp"

namespace rehearse::cli {
namespace {

app::CheckReport report_with(std::vector<Finding> findings, bool exhaustive = true) {
  app::CheckReport report;
  report.program = "./ring";
  report.ranks = 4;
  report.policies = {{}};
  report.verdict.executions = 6;
  report.verdict.findings = std::move(findings);
  report.verdict.exhaustive = exhaustive;
  if (!exhaustive) report.verdict.reasons = {"stopped after 6 executions (--max-executions)"};
  return report;
}

Finding finding(Severity severity) {
  Finding result;
  result.id = "deadlock.cycle";
  result.severity = severity;
  result.message = "ranks 0 and 1 wait for each other";
  return result;
}

}  // namespace

TEST_CASE("report: only errors make a violation", "[cli]") {
  CHECK(app::answer_of(report_with({}).verdict) == app::Answer::verified);
  CHECK(app::answer_of(report_with({finding(Severity::note)}).verdict) == app::Answer::verified);
  CHECK(app::answer_of(report_with({finding(Severity::warning)}).verdict) == app::Answer::verified);
  const app::CheckReport wrong = report_with({finding(Severity::note), finding(Severity::error)});
  CHECK(app::answer_of(wrong.verdict) == app::Answer::violation);
}

TEST_CASE("report: an incomplete exploration is never verified", "[cli]") {
  CHECK(app::answer_of(report_with({}, false).verdict) == app::Answer::inconclusive);
  CHECK(app::answer_of(report_with({finding(Severity::error)}, false).verdict) == app::Answer::violation);
}

TEST_CASE("report: the line begins with the answer and is one line", "[cli]") {
  for (const app::CheckReport& report :
       {report_with({}), report_with({}, false), report_with({finding(Severity::error)})}) {
    const std::string line = verdict_line(report);
    CHECK(line.starts_with(std::string(app::name_of(app::answer_of(report.verdict))) + ": "));
    CHECK(line.find('\n') == std::string::npos);
  }
  CHECK(verdict_line(report_with({}, false)).find("--max-executions") != std::string::npos);
}

TEST_CASE("report: the keys of the JSON are the stable ones, in order", "[cli]") {
  std::vector<std::string> keys;
  const app::Json json = to_json(report_with({}));
  for (const auto& item : json.members()) keys.push_back(item.key);
  CHECK(keys == std::vector<std::string>{"rehearse", "program", "ranks", "verdict", "exhaustive", "reasons",
                                         "executions", "blocked", "duplicates", "operations", "application_runs",
                                         "seconds", "peak_bytes", "findings"});
}

TEST_CASE("report: a finding has the key of policies only if it has policies", "[cli]") {
  Finding everywhere = finding(Severity::error), somewhere = finding(Severity::error);
  somewhere.policies = {{0, false}};
  CHECK_FALSE(app::to_json(everywhere).contains("policy"));
  CHECK(app::to_json(somewhere)["policy"] == app::Json({"zero"}));
}

TEST_CASE("report: each answer has its exit status", "[cli]") {
  CHECK(exit_status_of(app::Answer::verified) == 0);
  CHECK(exit_status_of(app::Answer::violation) == 1);
  CHECK(exit_status_of(app::Answer::inconclusive) == 3);
}

}  // namespace rehearse::cli
