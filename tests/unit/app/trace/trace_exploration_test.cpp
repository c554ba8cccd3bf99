// SPDX-License-Identifier: MIT
//
// All orders of the messages of small traces.
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include "app/trace_exploration.hpp"
#include "tests/support/temporary_file.hpp"

using namespace rehearse;

namespace {

app::CheckReport explored(const std::string& text) {
  const testing::TemporaryFile file(text);
  const auto report = app::explore_trace(app::default_trace_exploration(file.path()));
  REQUIRE(report);
  return report.value();
}

// Rank 0 takes two messages from any rank and then one from rank 2, which has sent only one.
constexpr auto dangerous = "0 recv -333 0 8\n0 recv 2 0 8\n"
                           "1 send 0 0 8\n"
                           "2 send 0 0 8\n";

}  // namespace

TEST_CASE("check of a trace: another match of a wildcard gets stuck") {
  const app::CheckReport report = explored(dangerous);
  CHECK(app::answer_of(report.verdict) == app::Answer::violation);
  const Finding* error = app::first_error(report.verdict);
  REQUIRE(error != nullptr);
  CHECK(error->id.is_under("deadlock"));
  CHECK(error->policies.empty());
  REQUIRE_FALSE(error->locations.empty());
  CHECK(error->locations.front().line == 2);
}

TEST_CASE("check of a trace: all orders of a fan-in are explored") {
  std::string text;
  for (int i = 0; i < 4; ++i) text += "0 recv -333 0 8\n";
  for (int rank = 1; rank <= 4; ++rank) text += std::to_string(rank) + " send 0 0 8\n";
  const app::CheckReport report = explored(text);
  CHECK(app::answer_of(report.verdict) == app::Answer::verified);
  CHECK(report.verdict.executions == 24);
  CHECK(report.verdict.assumptions.size() == 1);
}

TEST_CASE("check of a trace: large messages and collectives need no data") {
  std::string text;
  for (int rank = 0; rank < 3; ++rank) {
    const std::string r = std::to_string(rank);
    text += r + " bcast 1000000 0\n" + r + " alltoall 5000 5000\n" + r + " allreduce 70000 0\n" + r +
            " scatter 4096 4096 1\n";
  }
  text += "0 send 1 0 1e9\n1 recv 0 0 1e9\n";
  const app::CheckReport report = explored(text);
  CHECK(app::answer_of(report.verdict) == app::Answer::verified);
  CHECK(report.verdict.executions == 1);
}

TEST_CASE("check of a trace: sends head to head depend on buffering") {
  const app::CheckReport report = explored("0 send 1 0 9\n1 send 0 0 9\n0 recv 1 0 9\n1 recv 0 0 9\n");
  const Finding* error = app::first_error(report.verdict);
  REQUIRE(error != nullptr);
  CHECK(error->id == "deadlock.cycle");
  CHECK_FALSE(error->policies.empty());
}

TEST_CASE("check of a trace: an action that is not supported is inconclusive") {
  CHECK(app::answer_of(explored("0 Start 1\n1 compute 1\n").verdict) == app::Answer::inconclusive);
}
