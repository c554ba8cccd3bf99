// SPDX-License-Identifier: MIT
//
// An exploration may be ended while an actor is in the middle of a step: then it is as if that step had not begun, and
// nothing is lost.
#include <catch2/catch.hpp>
#include <set>

#include "mc/saved.hpp"
#include "simcore/support/random.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"
#include "tests/support/shared_flag.hpp"
#include "tests/support/verdicts.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using tests::all_by;
using tests::fan_in;
using tests::judge_ends;
using tests::make_litmus;
using tests::second_round;
using tests::SharedFlag;
using tests::text_of;

namespace {

// An actor is given up in the step of this number.
class GivingUp final : public Program {
 public:
  GivingUp(const std::string& text, std::uint64_t at, SharedFlag& flag)
      : inner_(make_litmus(text)), at_(at), flag_(flag) {}

  std::uint32_t actor_count() const override { return inner_->actor_count(); }
  const Operation& next(ActorId actor) override {
    static const Operation given_up = Fail{FailureKind::given_up, "", ""};
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
  SharedFlag& flag_;
  std::uint64_t steps_ = 0;
  std::set<std::uint32_t> lost_;
};

// Given up again and again, in steps that chance takes; how often.
std::uint32_t is_the_same_given_up(const std::string& text, std::uint64_t seed, std::uint32_t jobs,
                                   std::uint64_t steps_max, std::uint64_t history_bytes) {
  INFO(text << "seed " << seed << ", " << jobs << " jobs");
  const std::string whole = text_of(explore(*make_litmus(text), all_by(1), judge_ends));
  SplitMix chance(seed);
  std::string remaining;
  Verdict verdict;
  for (std::uint32_t stops = 0; stops < 3000; ++stops) {
    SharedFlag flag;
    GivingUp program(text, 1 + chance.below(steps_max), flag);
    ExploreOptions options = all_by(jobs);
    options.bounds.max_history_bytes = history_bytes;
    options.hooks.stop = flag.stop();
    if (remaining.empty()) {
      verdict = explore(program, options, judge_ends, "same", remaining);
    } else {
      auto next = go_on(program, options, judge_ends, "same", remaining);
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

}  // namespace

TEST_CASE("given up: an interruption in any step loses no class and counts none twice", "[mc][parallel]") {
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1} << 20})
    CHECK(is_the_same_given_up(fan_in(5, second_round), 1, 1, 60, bytes) > 1);
  CHECK(is_the_same_given_up(fan_in(5, second_round), 2, 2, 40, std::uint64_t{1} << 20) > 1);
}

TEST_CASE("given up: random programs have the same verdict with interruptions", "[mc][parallel][fuzz]") {
  tests::LitmusShape shape;
  shape.messages = 6;
  shape.probes = shape.waitany = shape.polls = shape.frees = GENERATE(false, true);
  shape.barriers = GENERATE(false, true);
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    is_the_same_given_up(random_litmus(seed, shape), seed, 1, 400, std::uint64_t{1} << 20);
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    is_the_same_given_up(random_litmus(seed, shape), seed, 2, 600, std::uint64_t{1} << 20);
}

TEST_CASE("given up: an interruption ends every search, with its reason", "[mc]") {
  for (const Reduction reduction : {Reduction::none, Reduction::odpor, Reduction::matching})
    for (const Search search : {Search::depth_first, Search::random, Search::bounded}) {
      if (reduction != Reduction::matching && search != Search::depth_first) continue;
      SharedFlag flag;
      GivingUp program(fan_in(4, second_round), 30, flag);
      ExploreOptions options = all_by(1);
      options.strategy.reduction = reduction;
      options.strategy.search = search;
      options.strategy.walks = 100;
      options.strategy.deviations = 3;
      options.hooks.stop = flag.stop();
      const Verdict verdict = explore(program, options, judge_ends);
      CHECK(verdict.reasons == std::vector<std::string>{"interrupted"});
    }
}
