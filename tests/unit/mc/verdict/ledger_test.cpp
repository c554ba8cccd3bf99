// SPDX-License-Identifier: MIT
//
// Ledgers count each class once, keep one finding per cause, and stop where they must; and all of that goes on
// after they were saved.
#include "mc/verdict/ledger.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <set>

#include "mc/records/records.hpp"
#include "tests/support/records.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::verdict;
using mc::history::fingerprint;
using mc::records::Reader;
using mc::records::Writer;
using tests::add_known_end;
using tests::add_recorded_end;
using tests::hash_number;
using tests::plain_execution;
using tests::plain_finding;

namespace {

ExploreOptions under(std::vector<Policy> policies) {
  ExploreOptions options;
  options.semantics.policies = std::move(policies);
  options.bounds.all_findings = true;
  return options;
}

const ExploreOptions& one_policy() {
  static const ExploreOptions options = under({Policy{}});
  return options;
}

const ExploreOptions& three_policies() {
  static const ExploreOptions options = under({Policy{}, Policy{0, false}, Policy{Policy::infinite, true}});
  return options;
}

Finding at_line(const std::string& id, int line, std::uint32_t actor = 0) {
  Finding finding = plain_finding(id);
  finding.actors = {{actor}};
  finding.locations = {{{actor}, "call", "file.c", line, "work", "waits"}};
  return finding;
}

void take_plain(Ledger& ledger, std::initializer_list<std::uint64_t> classes) {
  for (const std::uint64_t of_class : classes) {
    Execution execution = plain_execution(of_class);
    ledger.take(execution);
  }
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("ledger: each class is counted once, and counts as a duplicate when it is explored again", "[mc][ledger]") {
  Ledger ledger(one_policy());
  take_plain(ledger, {1, 2, 1, 3, 1});
  Execution blocked = plain_execution(4, false);
  ledger.take(blocked);
  CHECK(ledger.executions() == 4);
  const Verdict verdict = ledger.finish();
  CHECK(verdict.executions == 4);
  CHECK(verdict.blocked == 1);
  CHECK(verdict.duplicates == 2);
  CHECK(verdict.exhaustive);
  CHECK_FALSE(verdict.costs);
}

TEST_CASE("ledger: an execution can have several ends under the first policy, or none", "[mc][ledger]") {
  Ledger ledger(one_policy());
  Execution several;
  several.decided = hash_number(9);
  several.endings.emplace_back(hash_number(1), true);
  several.endings.emplace_back(hash_number(2), false);
  ledger.take(several);
  Execution none;
  none.decided = hash_number(10);
  ledger.take(none);
  Execution same_end;
  same_end.decided = hash_number(11);
  same_end.endings.emplace_back(hash_number(2), false);
  ledger.take(same_end);
  const Verdict verdict = ledger.finish();
  CHECK(verdict.executions == 2);
  CHECK(verdict.blocked == 1);
  CHECK(verdict.duplicates == 0);
}

TEST_CASE("ledger: executions without `decided` are no duplicates", "[mc][ledger]") {
  Ledger ledger(one_policy());
  for (int i = 0; i < 3; ++i) {
    Execution walk = plain_execution(1);
    walk.decided.reset();
    ledger.take(walk);
    ledger.add_walk();
  }
  const Verdict verdict = ledger.finish();
  CHECK(verdict.executions == 1);
  CHECK(verdict.duplicates == 0);
  CHECK(verdict.walks == 3);
}

TEST_CASE("ledger: the fingerprint is that of the set of classes", "[mc][ledger]") {
  const auto fingerprint = [](std::initializer_list<std::uint64_t> classes) {
    Ledger ledger(one_policy());
    take_plain(ledger, classes);
    return ledger.finish().fingerprint;
  };
  CHECK(fingerprint({1, 2, 3}) == fingerprint({3, 1, 2, 2}));
  CHECK_FALSE(fingerprint({1, 2, 3}) == fingerprint({1, 2}));
  CHECK_FALSE(fingerprint({1, 2, 3}) == fingerprint({1, 2, 4}));
}

TEST_CASE("ledger: a finding names all policies under which it occurs", "[mc][ledger]") {
  Ledger ledger(three_policies());
  Execution first = plain_execution(1), second = plain_execution(2);
  add_recorded_end(first, 5, 1, at_line("deadlock", 3));
  add_known_end(second, 5, 0);
  ledger.take(first);
  ledger.take(second);
  const Verdict verdict = ledger.finish();
  REQUIRE(verdict.findings.size() == 1);
  CHECK(verdict.findings[0].policies == Names{"zero", "infinite"});  // the one it was judged under comes first
}

TEST_CASE("ledger: findings that look the same to a reader are merged", "[mc][ledger]") {
  Ledger ledger(three_policies());
  Execution execution = plain_execution(1);
  add_recorded_end(execution, 1, 0, at_line("deadlock", 3));
  add_recorded_end(execution, 2, 1, at_line("deadlock", 3));
  add_recorded_end(execution, 3, 0, at_line("deadlock", 4));
  add_recorded_end(execution, 4, 0, at_line("deadlock", 3, 1));
  ledger.take(execution);
  const Verdict verdict = ledger.finish();
  REQUIRE(verdict.findings.size() == 3);
  CHECK(verdict.findings[0].policies == Names{"infinite", "zero"});
}

TEST_CASE("ledger: findings without places are distinguished by their messages", "[mc][ledger]") {
  Ledger ledger(one_policy());
  Execution execution = plain_execution(1);
  add_recorded_end(execution, 1, 0, plain_finding("abort", Severity::error, "one"));
  add_recorded_end(execution, 2, 0, plain_finding("abort", Severity::error, "other"));
  add_recorded_end(execution, 3, 0, plain_finding("abort", Severity::error, "one"));
  ledger.take(execution);
  CHECK(ledger.finish().findings.size() == 2);
}

TEST_CASE("ledger: a finding without synchronising collectives is not reported again for them", "[mc][ledger]") {
  const auto findings = [](std::uint32_t second_policy) {
    Ledger ledger(three_policies());
    Execution execution = plain_execution(1);
    add_recorded_end(execution, 1, 0, at_line("deadlock", 3));
    add_recorded_end(execution, 2, second_policy, at_line("deadlock", 7));
    ledger.take(execution);
    return ledger.finish().findings.size();
  };
  CHECK(findings(2) == 1);
  CHECK(findings(1) == 2);
}

TEST_CASE("ledger: it stops `grace_executions` after the first error, and not after warnings", "[mc][ledger]") {
  const auto taken = [](Severity severity, bool all) {
    ExploreOptions options;
    options.bounds.grace_executions = 3;
    options.bounds.all_findings = all;
    Ledger ledger(options);
    std::uint64_t count = 0;
    for (bool goes_on = true; goes_on && count < 20; ++count) {
      Execution execution = plain_execution(count);
      if (count == 4) add_recorded_end(execution, 1, 0, plain_finding("check", severity));
      goes_on = ledger.take(execution);
    }
    return count;
  };
  CHECK(taken(Severity::error, false) == 8);
  CHECK(taken(Severity::warning, false) == 20);
  CHECK(taken(Severity::error, true) == 20);
}

TEST_CASE("ledger: a bound on executions is kept, and named", "[mc][ledger]") {
  ExploreOptions options = one_policy();
  options.bounds.max_executions = 2;
  Ledger ledger(options);
  Execution one = plain_execution(1), again = plain_execution(1), two = plain_execution(2);
  CHECK(ledger.take(one));
  CHECK(ledger.take(again));
  CHECK_FALSE(ledger.take(two));
  const Verdict verdict = ledger.finish();
  CHECK_FALSE(verdict.exhaustive);
  CHECK(verdict.reasons == Names{"stopped after 2 executions (--max-executions)"});
}

TEST_CASE("ledger: each reason is reported once, the reasons for stopping last", "[mc][ledger]") {
  Ledger ledger(one_policy());
  CHECK(ledger.is_exhaustive());
  CHECK_FALSE(ledger.stop("stopped"));
  ledger.leave_out("left out");
  ledger.leave_out("left out");
  Limits limits;
  limits.unsupported = {"a call"};
  limits.strayed = {"an actor strayed"};
  ledger.add_limits(limits);
  ledger.add_limits(limits);
  CHECK_FALSE(ledger.is_exhaustive());
  CHECK(ledger.finish().reasons ==
        Names{"left out", "stopped", "a call: not all of its outcomes are explored yet", "an actor strayed"});
}

TEST_CASE("ledger: an assumption is no reason for an incomplete verdict", "[mc][ledger]") {
  const auto assumed = [](std::uint32_t polls) {
    ExploreOptions options = one_policy();
    options.semantics.polls = polls;
    Ledger ledger(options);
    Limits limits;
    limits.refusals_left_out = true;
    limits.assumptions = {"another"};
    ledger.add_limits(limits);
    const Verdict verdict = ledger.finish();
    CHECK(verdict.exhaustive);
    return verdict.assumptions;
  };
  CHECK(assumed(1) == Names{"a poll in a loop gets the answer \"no\" at most 1 time in a row (--polls)", "another"});
  CHECK(assumed(3)[0] == "a poll in a loop gets the answer \"no\" at most 3 times in a row (--polls)");
}

TEST_CASE("ledger: an execution that the program excludes is an assumption, an unjudged one a reason", "[mc][ledger]") {
  Ledger ledger(one_policy());
  Execution execution = plain_execution(1);
  add_known_end(execution, 1, 0);
  execution.causes.emplace_back().shape = hash_number(1);
  execution.causes.back().is_not_meant = true;
  ledger.take(execution);
  Execution other = plain_execution(2);
  add_known_end(other, 2, 0);
  other.causes.emplace_back().shape = hash_number(2);
  other.causes.back().reasons = {"something is not supported yet"};
  ledger.take(other);
  const Verdict verdict = ledger.finish();
  CHECK(verdict.assumptions.size() == 1);
  CHECK(verdict.reasons == Names{"something is not supported yet"});
  CHECK(verdict.findings.empty());
}

TEST_CASE("ledger: the first race of each place is kept", "[mc][ledger]") {
  Ledger ledger(one_policy());
  for (const std::uint64_t place : {1, 2, 1}) {
    Execution execution = plain_execution(place);
    reduction::Race& race = execution.races.emplace_back();
    race.place = hash_number(place);
    race.actor = static_cast<std::uint32_t>(ledger.races().size());
    ledger.take(execution);
  }
  REQUIRE(ledger.races().size() == 2);
  CHECK(ledger.races()[0].actor == 0);
  CHECK(ledger.races()[1].actor == 1);
}

TEST_CASE("ledger: added counts are in the verdict", "[mc][ledger]") {
  Ledger ledger(one_policy());
  ledger.add_operations(5);
  ledger.add_operations(6);
  ledger.add_application_runs(7);
  ledger.add_duplicates(8);
  CHECK(ledger.operations() == 11);
  const Verdict verdict = ledger.finish();
  CHECK(verdict.operations == 11);
  CHECK(verdict.application_runs == 7);
  CHECK(verdict.duplicates == 8);
}

TEST_CASE("ledger: saving in the middle does not change the verdict", "[mc][ledger][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SplitMix chance(seed);
    std::deque<Execution> executions;
    for (int i = 0; i < 12; ++i) {
      executions.push_back(plain_execution(chance.below(9), chance.below(3) > 0));
      if (chance.below(2) == 0) executions.back().branching = {chance.below(3), 1, false, 1};
      if (chance.below(3) == 0)
        executions.back().endings[0].tag = std::make_unique<mc::verdict::Tag>(
            mc::verdict::Tag{chance.uniform(), parse_schedule("0:r0<-1#0").value(), false});
    }
    std::set<std::uint64_t> reported;
    for (Execution& execution : executions) {
      const std::uint64_t shape = chance.below(4);
      const auto policy = static_cast<std::uint32_t>(chance.below(3));
      if (reported.insert(shape).second)
        add_recorded_end(execution, shape, policy, at_line("check", static_cast<int>(shape)));
      else add_known_end(execution, shape, policy);
    }
    const auto text = [](const Verdict& verdict) {
      std::string text = std::to_string(verdict.executions) + " " + std::to_string(verdict.blocked) + " " +
                         std::to_string(verdict.fingerprint) + " " + std::to_string(verdict.duplicates) + " " +
                         std::to_string(verdict.branched) + " " +
                         (verdict.costs ? std::to_string(verdict.costs->most.cost) : "free");
      for (const Finding& finding : verdict.findings) {
        text += " " + finding.id.text() + std::to_string(finding.locations[0].line);
        for (const std::string& policy : finding.policies) text += policy;
      }
      return text;
    };
    Writer records;  // they can be taken once
    for (const Execution& execution : executions) put(records, execution);
    const auto from_records = [&](std::size_t stop_at) {
      Reader from(records.bytes());
      auto ledger = std::make_unique<Ledger>(three_policies());
      for (std::size_t i = 0; i < executions.size(); ++i) {
        if (i == stop_at) {
          Writer to;
          ledger->save(to);
          ledger = std::make_unique<Ledger>(three_policies());
          Reader saved(to.bytes());
          ledger->load(saved);
          CHECK(saved.is_good());
          CHECK(saved.at_end());
        }
        Execution execution;
        get(from, execution);
        ledger->take(execution);
      }
      return text(ledger->finish());
    };
    const std::string whole = from_records(executions.size());
    for (std::size_t stop_at = 0; stop_at < executions.size(); ++stop_at) CHECK(from_records(stop_at) == whole);
  }
}

TEST_CASE("ledger: damaged bytes are bad", "[mc][ledger]") {
  Ledger ledger(one_policy());
  Execution execution = plain_execution(1);
  add_recorded_end(execution, 1, 0, plain_finding("check"));
  ledger.take(execution);
  take_plain(ledger, {2, 3});
  Writer to;
  ledger.save(to);
  for (std::size_t cut = 0; cut < to.bytes().size(); ++cut) {
    const std::string part = to.bytes().substr(0, cut);
    Reader from(part);
    Ledger(one_policy()).load(from);
    CHECK_FALSE(from.is_good());
  }
}
