// SPDX-License-Identifier: MIT
//
// The fewest decisions that lead to a finding are as few as trying all sets of them, and all executions, shows.
#include "mc/counterexample/minimise.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>

#include "tests/support/blocked.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::counterexample;
using tests::Blocked;

namespace {

bool leads_there(Runs& runs, const std::vector<Forced>& decisions) {
  return runs.follow(Follower::Orders{all_of(decisions), {}, false}).same.has_value();
}

// Of these, by trying all sets of them.
std::size_t smallest_set(Runs& runs, const std::vector<Forced>& decisions) {
  std::size_t smallest = decisions.size() + 1;
  for (std::uint32_t bits = 0; bits < 1u << decisions.size(); ++bits) {
    const auto size = static_cast<std::size_t>(std::popcount(bits));
    if (size >= smallest) continue;
    std::vector<Forced> chosen;
    for (std::size_t i = 0; i < decisions.size(); ++i)
      if (bits >> i & 1) chosen.push_back(decisions[i]);
    if (leads_there(runs, chosen)) smallest = size;
  }
  return smallest;
}

// Whether some execution with fewer decisions that are not the first shows it.
bool is_found_with_fewer(Runs& runs, std::size_t than) {
  bool is_complete = false;
  for (std::uint32_t turns = 0; turns < than && !is_complete; ++turns) {
    std::vector<Forced> turned, all;
    if (runs.search(turns, turned, all, is_complete).same) return true;
  }
  return false;
}

Schedule schedule_in(const Finding& finding) { return finding.witness.schedule; }

}  // namespace

TEST_CASE("minimise: the remaining decisions are needed, and no execution with fewer decisions shows it",
          "[mc][minimise][fuzz]") {
  std::size_t findings = 0, with_decisions = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    tests::LitmusShape shape;
    shape.waitany = seed % 2 == 0;
    shape.probes = seed % 3 == 0;
    const std::string text = random_litmus(seed, shape);
    Blocked blocked(text, seed % 4 == 0 ? Policy{0, false} : Policy{});
    std::size_t remaining = 3;
    for (const Finding& finding : blocked.findings()) {
      if (remaining-- == 0) break;
      INFO(text << to_text(finding.witness));
      Runs& runs = blocked.look_for(finding);
      const auto minimal = minimise(runs, schedule_in(finding));
      REQUIRE(minimal);
      CHECK(leads_there(runs, minimal->decisions));
      CHECK(minimal->is_fewest);
      CHECK_FALSE(is_found_with_fewer(runs, minimal->decisions.size()));
      CHECK(smallest_set(runs, minimal->decisions) == minimal->decisions.size());
      ++findings;
      with_decisions += !minimal->decisions.empty();
    }
  }
  CHECK(findings > 40);
  CHECK(with_decisions > 5);
}

TEST_CASE("minimise: the first alternative is no decision", "[mc][minimise]") {
  Blocked blocked("0: recv * 0 ; recv 1 0\n1: send 0 0\n2: send 0 0\n");
  const auto minimal = minimise(blocked.look_for_first(), schedule_in(blocked.findings()[0]));
  REQUIRE(minimal);
  CHECK(minimal->decisions.empty());
  CHECK(minimal->before == 0);
  CHECK(minimal->is_fewest);
}

TEST_CASE("minimise: unrelated decisions are removed", "[mc][minimise]") {
  // Actors 0 and 3 receive in any order; only whose message 0 takes first matters.
  Blocked blocked("0: recv * 0 ; recv 2 0\n1: send 0 0\n2: send 0 0 ; send 3 0\n"
                  "3: recv * 0 ; recv * 0\n4: send 3 0\n");
  const auto found = std::find_if(blocked.findings().begin(), blocked.findings().end(),
                                  [](const Finding& finding) { return finding.actors == std::vector<ActorId>{{0}}; });
  REQUIRE(found != blocked.findings().end());
  Schedule schedule;  // of an execution in which 3 takes them the other way round, too
  schedule.matches[{ActorId{0}, RequestId{0}}] = {ActorId{2}, RequestId{0}};
  schedule.matches[{ActorId{3}, RequestId{0}}] = {ActorId{4}, RequestId{0}};
  schedule.matches[{ActorId{3}, RequestId{1}}] = {ActorId{2}, RequestId{1}};
  const auto minimal = minimise(blocked.look_for(*found), schedule);
  REQUIRE(minimal);
  CHECK(minimal->before == 2);
  REQUIRE(minimal->decisions.size() == 1);
  CHECK(tests::text_of(minimal->decisions[0]) == "0:r0<-2#0");
}

TEST_CASE("minimise: a finding that does not occur is not found", "[mc][minimise]") {
  Blocked blocked("0: recv * 0 ; recv 1 0\n1: send 0 0\n2: send 0 0\n");
  Finding other = blocked.findings().at(0);
  other.id = "something.else";
  CHECK_FALSE(minimise(blocked.look_for(other), schedule_in(other)));
}

TEST_CASE("minimise: after a limit it does not claim the fewest decisions", "[mc][minimise]") {
  Blocked blocked("0: recv * 0 ; recv * 0 ; recv * 0 ; onsrc 1: recv 1 9\n1: send 0 0\n2: send 0 0\n3: send 0 0\n");
  const Finding& finding = blocked.findings().at(0);
  Runs& runs = blocked.look_for(finding, {3, 100'000, 600});
  const auto minimal = minimise(runs, schedule_in(finding));
  CHECK(runs.is_over());
  if (minimal) CHECK_FALSE(minimal->is_fewest);
  const auto patient = minimise(blocked.look_for(finding), schedule_in(finding));
  REQUIRE(patient);
  CHECK(patient->is_fewest);
}

TEST_CASE("minimise: all_of joins the decisions", "[mc][minimise]") {
  const Forced all = all_of({tests::forced_match(0, 0, 1, 0), tests::forced_answer(2, 1, false)});
  CHECK(tests::text_of(all) == "0:r0<-1#0;2:o1=no");
  CHECK(all_of({}).is_empty());
}
