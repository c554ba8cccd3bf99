// SPDX-License-Identifier: MIT
//
// An exploration may be ended while an actor is in the middle of a step: then it is as if that step had not begun, and
// nothing is lost.
#include <sys/mman.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <new>
#include <set>

#include "mc/saved.hpp"
#include "simcore/given_up.hpp"
#include "simcore/support/random.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using tests::make_litmus;

namespace {

// All processes see the same one.
class Flag {
 public:
  Flag() {
    void* page = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    flag_ = new (page) std::atomic<bool>(false);
  }
  ~Flag() { munmap(flag_, sizeof *flag_); }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

  bool is_set() const { return *flag_; }
  void set() { *flag_ = true; }

 private:
  std::atomic<bool>* flag_;
};

// An actor is given up in the step of this number.
class GivingUp final : public Program {
 public:
  GivingUp(const std::string& text, std::uint64_t at, Flag& flag) : inner_(make_litmus(text)), at_(at), flag_(flag) {}

  std::uint32_t actor_count() const override { return inner_->actor_count(); }
  const Operation& next(ActorId actor) override {
    static const Operation given_up = Fail{FailureKind::crash, step_given_up, ""};
    return lost_.contains(actor.value) ? given_up : inner_->next(actor);
  }
  void resume(ActorId actor, const Observation& observation) override {
    inner_->resume(actor, observation);
    if (++steps_ < at_) return;
    flag_.set();
    lost_.insert(actor.value);
  }
  void restart(ActorId actor) override {
    lost_.erase(actor.value);
    inner_->restart(actor);
  }
  std::unique_ptr<Snapshot> save(ActorId actor) override { return inner_->save(actor); }
  void restore(ActorId actor, const Snapshot& snapshot) override {
    lost_.erase(actor.value);
    inner_->restore(actor, snapshot);
  }
  CallDescription describe(ActorId actor) override { return inner_->describe(actor); }

 private:
  std::unique_ptr<Program> inner_;
  std::uint64_t at_;
  Flag& flag_;
  std::uint64_t steps_ = 0;
  std::set<std::uint32_t> lost_;
};

// With a Describe that runs actors, too.
std::vector<Finding> judge(const Outcome& outcome, const Describe& describe) {
  std::vector<Finding> findings;
  for (std::uint32_t a = 0; a < outcome.actors.size(); ++a)
    if (outcome.actors[a].state == ActorOutcome::State::blocked) {
      describe(ActorId{a});
      findings.push_back({"deadlock", Severity::error, "actor " + std::to_string(a) + " waits", {}, {{a}}, {}, ""});
    }
  return findings;
}

std::string text_of(const Verdict& verdict) {
  std::string text;
  for (const std::uint64_t number : {verdict.executions, verdict.blocked, verdict.duplicates, verdict.operations})
    text += std::to_string(number) + " ";
  text += verdict.exhaustive ? "all\n" : "some\n";
  for (const std::string& reason : verdict.reasons) text += "reason " + reason + "\n";
  for (const Finding& finding : verdict.findings) {
    text += finding.id + " " + finding.message + " under";
    for (const std::string& policy : finding.policies) text += " " + policy;
    text += " schedule " + finding.schedule + "\n";
  }
  return text;
}

ExploreOptions options_for(std::uint32_t jobs) {
  ExploreOptions options;
  options.policies = {Policy{}, Policy{0, false}};
  options.all_findings = true;
  options.jobs = jobs;
  options.alone_seconds = options.undivided_seconds = 0;
  return options;
}

// Given up again and again, in steps that chance takes; how often.
std::uint32_t is_the_same_given_up(const std::string& text, std::uint64_t seed, std::uint32_t jobs,
                                   std::uint64_t steps_max, std::uint64_t history_bytes) {
  INFO(text << "seed " << seed << ", " << jobs << " jobs");
  const std::string whole = text_of(explore(*make_litmus(text), options_for(1), judge));
  SplitMix chance(seed);
  std::string left;
  Verdict verdict;
  for (std::uint32_t stops = 0; stops < 3000; ++stops) {
    Flag flag;
    GivingUp program(text, 1 + chance.below(steps_max), flag);
    ExploreOptions options = options_for(jobs);
    options.max_history_bytes = history_bytes;
    options.interrupted = [&flag] { return flag.is_set(); };
    if (left.empty()) {
      verdict = explore(program, options, judge, "same", left);
    } else {
      auto next = go_on(program, options, judge, "same", left);
      REQUIRE(next);
      verdict = next.value();
    }
    if (verdict.exhaustive) {
      CHECK(text_of(verdict) == whole);
      return stops;
    }
    CHECK(verdict.reasons == std::vector<std::string>{"interrupted"});
  }
  FAIL("it does not come to an end");
  return 0;
}

std::string fan_in(std::uint32_t senders) {
  std::string text = "0: ";
  for (std::uint32_t s = 0; s < senders; ++s) text += "recv * 0 ; ";
  text += "onsrc 3: recv * 1 | 4: recv * 2\n";
  for (std::uint32_t s = 1; s <= senders; ++s) text += std::to_string(s) + ": send 0 0\n";
  return text;
}

}  // namespace

TEST_CASE("given up: whatever step it happens in, nothing is lost or counted twice", "[mc][parallel]") {
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1} << 20})
    CHECK(is_the_same_given_up(fan_in(5), 1, 1, 60, bytes) > 1);
  CHECK(is_the_same_given_up(fan_in(5), 2, 2, 40, std::uint64_t{1} << 20) > 1);
}

TEST_CASE("given up: random programs come to the same verdict", "[mc][parallel][fuzz]") {
  tests::LitmusShape shape;
  shape.messages = 6;
  shape.probes = shape.waitany = shape.polls = shape.frees = GENERATE(false, true);
  shape.barriers = GENERATE(false, true);
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    is_the_same_given_up(random_litmus(seed, shape), seed, 1, 400, std::uint64_t{1} << 20);
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    is_the_same_given_up(random_litmus(seed, shape), seed, 2, 600, std::uint64_t{1} << 20);
}

TEST_CASE("given up: searches without a rest end, too", "[mc]") {
  for (const Reduction reduction : {Reduction::none, Reduction::odpor, Reduction::matching})
    for (const Search search : {Search::depth_first, Search::random, Search::bounded}) {
      if (reduction != Reduction::matching && search != Search::depth_first) continue;
      Flag flag;
      GivingUp program(fan_in(4), 30, flag);
      ExploreOptions options = options_for(1);
      options.reduction = reduction;
      options.search = search;
      options.walks = 100;
      options.turns = 3;
      options.interrupted = [&flag] { return flag.is_set(); };
      const Verdict verdict = explore(program, options, judge);
      CHECK(verdict.reasons == std::vector<std::string>{"interrupted"});
    }
}
