// SPDX-License-Identifier: MIT
//
// Faults that a trace shows, and the policies under which they happen.
#include <string>

#include <catch2/catch.hpp>
#include "app/trace_check.hpp"
#include "tests/support/temporary_file.hpp"

using namespace rehearse;

namespace {

app::TraceCheck check_of(const std::string& text) {
  const testing::TemporaryFile file(text);
  const auto check = app::check_trace({file.path()});
  REQUIRE(check);
  return check.value();
}

std::string text_of(const std::vector<Policy>& policies) {
  std::string text;
  for (const Policy& policy : policies) text += (text.empty() ? "" : " ") + to_text(policy);
  return text;
}

// "ID@LINE POLICIES" of each finding.
std::vector<std::string> findings_of(const std::string& text) {
  std::vector<std::string> findings;
  for (const Finding& finding : check_of(text).findings) {
    REQUIRE_FALSE(finding.locations.empty());
    const std::string policies = text_of(finding.policies);
    findings.push_back(finding.id.text() + "@" + std::to_string(finding.locations.front().line) +
                       (policies.empty() ? "" : " " + policies));
  }
  return findings;
}

using Findings = std::vector<std::string>;

}  // namespace

TEST_CASE("trace check: a right trace has no findings") {
  const app::TraceCheck check = check_of("0 init\n1 init\n0 send 1 5 100\n1 recv 0 5 100\n0 barrier\n1 barrier\n");
  CHECK(check.findings.empty());
  CHECK(check.unsupported.empty());
  CHECK(check.format == "ti");
  CHECK(check.ranks == 2);
  CHECK(check.actions == 4);
}

TEST_CASE("trace check: sends head to head are a deadlock only where sends wait") {
  CHECK(findings_of("0 send 1 0 9\n1 send 0 0 9\n0 recv 1 0 9\n1 recv 0 0 9\n") ==
        Findings{"deadlock.cycle@1 zero zero+synchronising"});
}

TEST_CASE("trace check: a receive without a send is a deadlock under all policies") {
  CHECK(findings_of("0 compute 5\n1 recv 0 0 9\n") == Findings{"deadlock.orphan@2"});
}

TEST_CASE("trace check: a reduction before a message that its root awaits depends on synchronisation") {
  CHECK(findings_of("0 recv 1 0 9\n0 reduce 4 0 0\n1 reduce 4 0 0\n1 send 0 0 9\n") ==
        Findings{"deadlock.collective@1 zero zero+synchronising"});
  CHECK(findings_of("0 bcast 4 0\n0 recv 1 0 9\n1 send 0 0 9\n1 bcast 4 0\n") ==
        Findings{"deadlock.collective@1 zero zero+synchronising"});
}

TEST_CASE("trace check: a message without a receive is lost") {
  CHECK(findings_of("0 send 1 7 9\n1 compute 5\n").front() == "message.lost@1 infinite");
}

TEST_CASE("trace check: a message longer than its receive is truncated") {
  CHECK(findings_of("0 send 1 0 100\n1 recv 0 0 99\n") == Findings{"message.truncated@2"});
  CHECK(findings_of("0 send 1 0 100\n1 irecv 0 0 99\n1 wait 0 1 0\n") == Findings{"message.truncated@2"});
  CHECK(findings_of("0 send 1 0 100\n1 recv 0 0 100\n").empty());
  CHECK(findings_of("0 send 1 0 100\n1 recv 0 0 -1\n").empty());
}

TEST_CASE("trace check: each truncated message of a wait is reported") {
  CHECK(findings_of("0 send 1 0 100\n0 send 1 1 100\n1 irecv 0 0 99\n1 irecv 0 1 1\n1 waitall\n").size() == 2);
}

TEST_CASE("trace check: a request that nothing completes is a warning") {
  const app::TraceCheck check = check_of("0 isend 1 0 100\n1 recv 0 0 100\n");
  REQUIRE(check.findings.size() == 1);
  CHECK(check.findings[0].id == "resource.request");
  CHECK(check.findings[0].severity == Severity::warning);
  CHECK(check.findings[0].locations[0].line == 1);
  CHECK(findings_of("0 isend 1 0 100\n0 wait 0 1 0\n1 recv 0 0 100\n").empty());
}

TEST_CASE("trace check: members that call different collectives disagree") {
  const app::TraceCheck check = check_of("0 bcast 4 0\n1 barrier\n");
  REQUIRE(check.findings.size() == 1);
  CHECK(check.findings[0].id == "collective.operation");
  CHECK(check.findings[0].policies.empty());
}

TEST_CASE("trace check: a malformed line is an error, an unknown action is inconclusive") {
  const testing::TemporaryFile malformed("0 send 1 0\n1 compute 1\n");
  const auto check = app::check_trace({malformed.path()});
  REQUIRE_FALSE(check);
  CHECK(check.error().text.find(":1:") != std::string::npos);
  CHECK(check_of("0 Start 1\n1 compute 1\n").unsupported.size() == 1);
}
