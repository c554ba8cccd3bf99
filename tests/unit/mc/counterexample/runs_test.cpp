// SPDX-License-Identifier: MIT
//
// Executions one by one: whether they show a finding, end well, and how many there may be.
#include "mc/counterexample/runs.hpp"

#include <catch2/catch.hpp>

#include "tests/support/blocked.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::counterexample;
using tests::Blocked;
using tests::forced_match;

namespace {

// It ends well only if actor 2's message comes first.
const char* stolen = "0: recv * 0 ; recv 1 0\n1: send 0 0\n2: send 0 0\n";

Finding finding_at(const std::string& call, int line, std::uint32_t actor = 0) {
  Finding finding;
  finding.id = "check";
  finding.actors = {{actor}};
  finding.locations = {{{actor}, call, "file.c", line, "work", "waits"}};
  return finding;
}

Follower::Orders must(const Forced& forced) { return {forced, {}, false}; }

}  // namespace

TEST_CASE("findings: they are equal if check, actors and places are, in any order", "[mc][runs]") {
  Finding one = finding_at("f(1)", 3), other = one;
  CHECK(is_same_finding(one, other));
  other.message = "in other words";
  other.witness = parse_witness("0:r0<-1#0").value();
  CHECK(is_same_finding(one, other));
  one.actors = {{0}, {1}};
  other.actors = {{1}, {0}};
  CHECK(is_same_finding(one, other));
  other.actors = {{1}, {2}};
  CHECK_FALSE(is_same_finding(one, other));
  other = one;
  other.id = "another";
  CHECK_FALSE(is_same_finding(one, other));
}

TEST_CASE("findings: without lines, calls count by their names in their functions", "[mc][runs]") {
  const Finding here = finding_at("f(1)", 3), moved = finding_at("f(2)", 9), renamed = finding_at("g(1)", 3);
  CHECK_FALSE(is_same_finding(here, moved));
  CHECK(is_same_finding(here, moved, false));
  CHECK_FALSE(is_same_finding(here, renamed, false));
  Finding elsewhere = here;
  elsewhere.locations[0].function = "other";
  CHECK_FALSE(is_same_finding(here, elsewhere, false));
  CHECK(is_same_finding(here, elsewhere));  // the line is the same
}

TEST_CASE("findings: an exceeded bound on cost is one finding, at any place", "[mc][runs]") {
  Finding one = finding_at("f(1)", 3), other = finding_at("g(1)", 4, 2);
  one.id = other.id = "time.bound";
  CHECK(is_same_finding(one, other));
}

TEST_CASE("runs: the decisions determine whether an execution shows the finding or ends well", "[mc][runs]") {
  Blocked blocked(stolen);
  REQUIRE(blocked.findings().size() == 1);
  Runs& runs = blocked.look_for_first();
  const ExecutionResult bad = runs.follow(must(forced_match(0, 0, 1, 0)));
  CHECK(bad.was_judged);
  CHECK(bad.same);
  CHECK_FALSE(bad.ends_well);
  const ExecutionResult good = runs.follow(must(forced_match(0, 0, 2, 0)));
  CHECK(good.was_judged);
  CHECK_FALSE(good.same);
  CHECK(good.ends_well);
  CHECK_FALSE(good.has_impossible);
  CHECK(runs.executions() == 2);
}

TEST_CASE("runs: a forced decision that is impossible is reported", "[mc][runs]") {
  Blocked blocked(stolen);
  const ExecutionResult result = blocked.look_for_first().follow(must(forced_match(0, 0, 2, 7)));
  CHECK(result.was_judged);
  CHECK(result.has_impossible);
}

TEST_CASE("runs: another finding does not count", "[mc][runs]") {
  Blocked blocked(stolen);
  Finding other = blocked.findings()[0];
  other.actors = {{1}};
  const ExecutionResult result = blocked.look_for(other).follow(must(forced_match(0, 0, 1, 0)));
  CHECK(result.was_judged);
  CHECK_FALSE(result.same);
  CHECK_FALSE(result.ends_well);
}

TEST_CASE("runs: the bound on executions is kept", "[mc][runs]") {
  Blocked blocked(stolen);
  Runs& runs = blocked.look_for(blocked.findings()[0], {2, 1000, 600});
  for (int i = 0; i < 2; ++i) {
    CHECK_FALSE(runs.is_over());
    CHECK(runs.follow(must({})).was_judged);
  }
  CHECK(runs.is_over());
  CHECK_FALSE(runs.follow(must({})).was_judged);
  CHECK(runs.executions() == 2);
}

TEST_CASE("runs: the bounds on events and time are kept", "[mc][runs]") {
  Blocked blocked(stolen);
  Runs& few_events = blocked.look_for(blocked.findings()[0], {100, 5, 600});
  few_events.follow(must({}));
  CHECK(few_events.is_over());
  CHECK(blocked.look_for(blocked.findings()[0], {100, 1000, 0}).is_over());
}

TEST_CASE("runs: the caller sees the graph of the execution", "[mc][runs]") {
  Blocked blocked(stolen);
  std::uint32_t matched = 0;
  blocked.look_for_first().follow(must({}), [&](const graph::Graph& graph, const ExecutionResult& result) {
    matched = graph.tally().matched;
    CHECK(result.was_judged);
  });
  CHECK(matched == 1);
}

TEST_CASE("runs: a search goes by the number of deviations", "[mc][runs]") {
  // The actor whose message came last decides which actor waits forever.
  Blocked blocked("0: recv * 0 ; recv * 0 ; onsrc 1: recv 1 9\n1: send 0 0\n2: send 0 0\n");
  REQUIRE(blocked.findings().size() == 1);
  Runs& runs = blocked.look_for_first();
  std::vector<Forced> turned, all;
  bool is_complete = true;
  CHECK_FALSE(runs.search(0, turned, all, is_complete).same);
  CHECK_FALSE(is_complete);
  CHECK(runs.search(1, turned, all, is_complete).same);
  REQUIRE(turned.size() == 1);
  CHECK(tests::text_of(turned[0]) == "0:r0<-2#0");
  CHECK(all.size() == 2);
}

TEST_CASE("runs: a search without another deviation is complete", "[mc][runs]") {
  Blocked blocked("0: recv 1 0\n1: recv 0 0\n");
  Finding absent = blocked.findings().at(0);
  absent.actors = {{0}};
  std::vector<Forced> turned, all;
  bool is_complete = false;
  CHECK_FALSE(blocked.look_for(absent).search(0, turned, all, is_complete).same);
  CHECK(is_complete);
}

TEST_CASE("runs: an execution that blocks for lack of buffer space ends well without waiting", "[mc][runs]") {
  Blocked blocked("0: send 1 0 ; recv 1 0\n1: send 0 0 ; recv 0 0\n", Policy{0, false});
  REQUIRE(blocked.findings().size() == 1);
  Runs& runs = blocked.look_for_first();
  CHECK(runs.policy() == Policy{0, false});
  bool ends_well = false;
  const ExecutionResult result = runs.follow(must({}), [&](const graph::Graph& graph, const ExecutionResult&) {
    ends_well = runs.ends_well_without_waiting(graph);
  });
  CHECK(result.same);
  CHECK(ends_well);
}
