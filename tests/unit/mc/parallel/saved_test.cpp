// SPDX-License-Identifier: MIT
//
// What is left of an exploration can be taken up again, any number of times: the verdict is that of one that was not
// interrupted.
#include "mc/saved.hpp"

#include <catch2/catch.hpp>

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
using tests::text_of;

namespace {

// Stopped whenever so many more executions were counted; how often it was.
std::uint32_t is_the_same_in_pieces(const std::string& text, std::uint64_t step, std::uint32_t jobs) {
  INFO(text << step << " executions at once, " << jobs << " jobs");
  const std::string whole = text_of(explore(*make_litmus(text), all_by(1), judge_ends));
  ExploreOptions options = all_by(jobs);
  options.bounds.max_executions = step;
  std::string remaining;
  Verdict verdict = explore(*make_litmus(text), options, judge_ends, "same", remaining);
  std::uint32_t stops = 0;
  for (; !remaining.empty() && stops < 2000; ++stops) {
    options.bounds.max_executions += step;
    auto next = go_on(*make_litmus(text), options, judge_ends, "same", remaining);
    REQUIRE(next);
    verdict = next.value();
  }
  CHECK(text_of(verdict) == whole);
  return stops;
}

}  // namespace

TEST_CASE("saved: an exploration that stops every few executions has the same verdict", "[mc][parallel]") {
  for (const std::uint32_t jobs : {1u, 2u, 3u}) {
    CHECK(is_the_same_in_pieces(fan_in(5, second_round), 50, jobs) >= 2);
    CHECK(is_the_same_in_pieces(fan_in(5, second_round), 7, jobs) >= 17);
  }
}

TEST_CASE("saved: random programs have the same verdict in pieces", "[mc][parallel][fuzz]") {
  tests::LitmusShape shape;
  shape.messages = 6;
  shape.probes = shape.waitany = shape.polls = shape.frees = GENERATE(false, true);
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (const std::uint32_t jobs : {1u, 2u}) is_the_same_in_pieces(random_litmus(seed, shape), 3, jobs);
}

TEST_CASE("saved: interruptions at any moment change nothing", "[mc][parallel]") {
  const std::string whole = text_of(explore(*make_litmus(fan_in(7, second_round)), all_by(1), judge_ends));
  SplitMix chance(1);
  for (const std::uint32_t jobs : {1u, 2u}) {
    std::string remaining;
    Verdict verdict;
    int stops = 0;
    for (; stops == 0 || (!remaining.empty() && stops < 1000); ++stops) {
      tests::SharedFlag flag;
      tests::SetsFlag program(make_litmus(fan_in(7, second_round)), 1 + chance.below(400), flag);
      ExploreOptions options = all_by(jobs);
      options.hooks.stop = flag.stop();
      if (stops == 0) {
        verdict = explore(program, options, judge_ends, "same", remaining);
        continue;
      }
      CHECK_FALSE(verdict.exhaustive);
      auto next = go_on(program, options, judge_ends, "same", remaining);
      REQUIRE(next);
      verdict = next.value();
    }
    CHECK(stops > 1);
    CHECK(text_of(verdict) == whole);
  }
}

TEST_CASE("saved: a complete exploration has no remaining work", "[mc]") {
  std::string remaining = "something";
  explore(*make_litmus(fan_in(4, second_round)), all_by(1), judge_ends, "same", remaining);
  CHECK(remaining.empty());
}

TEST_CASE("saved: a file of another program and a damaged file are refused", "[mc]") {
  ExploreOptions options = all_by(1);
  options.bounds.max_executions = 5;
  std::string remaining;
  explore(*make_litmus(fan_in(4, second_round)), options, judge_ends, "this", remaining);
  REQUIRE_FALSE(remaining.empty());
  CHECK(identity_of(remaining).value() == "this");
  const auto refused = [&](std::string bytes, const std::string& identity) {
    auto verdict = go_on(*make_litmus(fan_in(4, second_round)), options, judge_ends, identity, bytes);
    return verdict ? std::string() : verdict.error().text;
  };
  CHECK(refused(remaining, "that").find("another program") != std::string::npos);
  CHECK(refused("", "this").find("is not a saved exploration") != std::string::npos);
  CHECK(refused("{\"json\": 1}", "this").find("is not a saved exploration") != std::string::npos);
  CHECK(refused(remaining.substr(0, remaining.size() - 1), "this").find("damaged") != std::string::npos);
  CHECK(refused(remaining.substr(0, 30), "this").find("damaged") != std::string::npos);
  for (const std::size_t at : {std::size_t{40}, remaining.size() / 2, remaining.size() - 1}) {
    std::string damaged = remaining;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    CHECK(refused(damaged, "this").find("damaged") != std::string::npos);
  }
}
