// SPDX-License-Identifier: MIT
//
// Counter-examples of random programs are as small as exhaustive search makes them, lead to what they are of, and name
// the decision after which all could have ended well.
#include "mc/investigate.hpp"

#include <catch2/catch.hpp>

#include "mc/counterexample/runs.hpp"
#include "mc/counterexample/story.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"

namespace investigate_test {

using namespace rehearse;
using namespace rehearse::mc;
using tests::make_litmus;

namespace {

// One finding: who waits forever.
std::vector<Finding> judge_blocked(const Outcome& outcome, const Describe&) {
  Finding finding;
  finding.id = "deadlock";
  for (std::uint32_t a = 0; a < outcome.actors.size(); ++a)
    if (outcome.actors[a].state == ActorOutcome::State::blocked) finding.actors.push_back({a});
  return finding.actors.empty() ? std::vector<Finding>() : std::vector{finding};
}

// By exhaustion: the fewest alternatives that are not the first, of all executions that show the finding.
std::uint32_t fewest_turns(const std::string& text, const ExploreOptions& how, const Finding& finding) {
  for (std::uint32_t turns = 0;; ++turns) {
    ExploreOptions options = how;
    options.strategy.search = Search::bounded;
    options.strategy.deviations = turns;
    const Verdict verdict = explore(*make_litmus(text), options, judge_blocked);
    for (const Finding& found : verdict.findings)
      if (counterexample::is_same_finding(found, finding)) return turns;
    REQUIRE(turns < 20);
  }
}

InvestigateOptions patiently() {
  InvestigateOptions options;
  options.max_executions = 1'000'000;
  options.max_events = 100'000'000;
  options.max_seconds = 600;
  return options;
}

struct Counts {
  std::uint32_t findings = 0, decisions = 0, critical = 0;
};

void check_all(const std::string& text, const Policy& policy, Counts& counts) {
  ExploreOptions how;
  how.bounds.all_findings = true;
  how.semantics.policies = {policy};
  const Verdict verdict = explore(*make_litmus(text), how, judge_blocked);
  for (const Finding& finding : verdict.findings) {
    INFO(text << "\n" << to_text(policy) << " " << to_text(finding.witness));
    const auto reported = investigate(*make_litmus(text), how, policy, judge_blocked, finding, patiently());
    REQUIRE(reported);
    CHECK(counterexample::is_same_finding(reported->finding, finding));
    CHECK(reported->decisions.size() <= fewest_turns(text, how, finding));
    CHECK(reported->is_fewest);
    // What can be said of a schedule that gets stuck under a policy is only where it gets stuck; decisions say it all.
    const Found found =
        find_again(*make_litmus(text), how, policy, judge_blocked, finding, reported->decisions, patiently());
    CHECK(found.finding);
    const std::unique_ptr<Program> program = make_litmus(text);
    const Judge judge = judge_blocked;
    counterexample::Runs again(*program, how, policy, judge, finding, {});
    if (reported->critical)
      CHECK(again.follow(counterexample::Follower::Orders{{*reported->passing, {}}, {}, true}).ends_well);
    ++counts.findings;
    counts.decisions += static_cast<std::uint32_t>(reported->decisions.size());
    counts.critical += reported->critical.has_value();
  }
}

}  // namespace

TEST_CASE("investigate: no execution with the same finding has fewer decisions", "[mc]") {
  Counts counts;
  tests::LitmusShape plain, rich;
  rich.waitany = rich.probes = rich.polls = rich.some = true;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const tests::LitmusShape& shape : {plain, rich})
      for (const Policy& policy : {Policy{}, Policy{0, false}})
        check_all(tests::random_litmus(seed, shape), policy, counts);
  CHECK(counts.findings >= 40);
  CHECK(counts.decisions > 0);
  CHECK(counts.critical > 0);
}

TEST_CASE("investigate: the decision about a stolen message is critical, the other message is the good one", "[mc]") {
  const std::string text = "0: recv * 0 ; recv 1 0\n1: send 0 0\n2: send 0 0\n";
  ExploreOptions how;
  const Verdict verdict = explore(*make_litmus(text), how, judge_blocked);
  REQUIRE(verdict.findings.size() == 1);
  const auto reported = investigate(*make_litmus(text), how, Policy{}, judge_blocked, verdict.findings[0], patiently());
  REQUIRE(reported);
  REQUIRE(reported->critical);
  REQUIRE(reported->critical->taken.matches.size() == 1);
  CHECK(reported->critical->taken.matches[0].message.actor == ActorId{1});
  CHECK(reported->critical->instead.matches[0].message.actor == ActorId{2});
  CHECK(reported->critical->taken.matches[0].any_source);
  CHECK(reported->decisions.empty());  // it is what is tried first
}

TEST_CASE("investigate: the story has the fewest changes of actor", "[mc]") {
  // 2 has to send first; then 1 can do all that it does in one turn, and so can 0.
  const std::string text = "0: recv * 0 ; recv * 0 ; recv 2 1\n1: send 0 0 ; recv 2 0 ; send 0 0\n2: send 1 0\n";
  ExploreOptions how;
  const Verdict verdict = explore(*make_litmus(text), how, judge_blocked);
  REQUIRE(verdict.findings.size() == 1);
  const auto reported = investigate(*make_litmus(text), how, Policy{}, judge_blocked, verdict.findings[0], patiently());
  REQUIRE(reported);
  CHECK(reported->switches == 2);
  CHECK(reported->involved.size() == 3);
  std::vector<std::uint32_t> order;
  for (const StoryStep& step : reported->story)
    if (order.empty() || order.back() != step.at.actor.value) order.push_back(step.at.actor.value);
  CHECK(order == std::vector<std::uint32_t>{2, 1, 0});
  CHECK_FALSE(reported->critical);  // there is no other way
}

}  // namespace investigate_test
