// SPDX-License-Identifier: MIT
//
// Predictions from one execution: what they find under which policy, and what they must not find.
#include "mc/predict/predictor.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "mc/explore.hpp"
#include "tests/support/ends.hpp"
#include "tests/support/litmus.hpp"

namespace predictor_test {
namespace {

using namespace rehearse;
using namespace rehearse::mc;
using tests::Ends;
using tests::ends_of;

constexpr Policy infinite{}, zero{0, false}, eager{4, false};

Ends predicted(const std::string& litmus, const Policy& policy, bool is_fixed = true, bool wants_all = false) {
  const std::unique_ptr<Program> program = tests::make_litmus(litmus);
  ExploreOptions options;
  options.strategy.search = Search::predict;
  options.strategy.is_fixed_course = is_fixed;
  options.semantics.policies = {policy};
  options.bounds.all_findings = wants_all;
  Ends ends;
  ends.verdict = explore(*program, options, tests::tell_end);
  ends.is_all = ends.verdict.exhaustive;
  ends.texts = tests::texts_of(ends.verdict);
  return ends;
}

// Brute force says the same; predictions found it with a replay, not in the first execution.
void check_found(const std::string& litmus, const Policy& policy) {
  const Ends ends = predicted(litmus, policy);
  CHECK_FALSE(ends.texts.empty());
  CHECK(ends.verdict.prediction.value().confirmed > 0);
  CHECK(ends.verdict.prediction.value().refuted == 0);
  CHECK_FALSE(ends_of(litmus, Reduction::none, policy).texts.empty());
}

void check_good(const std::string& litmus, const Policy& policy) {
  const Ends ends = predicted(litmus, policy);
  CHECK(ends.texts.empty());
  CHECK(ends.is_all);
  CHECK(ends.verdict.prediction.value().refuted == 0);
  CHECK(ends_of(litmus, Reduction::none, policy).texts.empty());
}

TEST_CASE("a receive that others may rob of its message", "[predict]") {
  check_found("0: recv * 0 ; recv 2 0\n1: send 0 0\n2: send 0 0\n", infinite);
  check_good("0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n", infinite);
}

TEST_CASE("an earlier receive that names its source keeps its message from a later wildcard", "[predict]") {
  // Published encodings let the wildcard take the message of actor 2.
  check_good("0: irecv 2 0 a ; irecv * 0 b ; wait b ; wait a\n1: send 0 0\n2: send 0 0\n", infinite);
  check_good("0: irecv 2 0 a ; irecv * 0 b ; wait a ; wait b\n1: send 0 0\n2: send 0 0\n", zero);
}

TEST_CASE("messages of a channel do not overtake each other", "[predict]") {
  check_good("0: recv * 0 ; recv * 0 ; recv * 1\n1: send 0 0 ; send 0 0 ; send 0 1\n2: send 1 5\n1: \n", infinite);
}

TEST_CASE("a deadlock of sends that wait for their receives, by one match", "[predict]") {
  // If the wildcard takes the message of actor 1 first, all is well.
  const std::string litmus = "0: recv * 0 ; recv 2 0\n1: recv 2 1 ; send 0 0\n2: send 1 1 ; send 0 0\n";
  check_found(litmus, zero);
}

TEST_CASE("buffers of a bounded size", "[predict]") {
  // Two messages to actor 1 do not fit at once: actor 0 waits for the first receive, which waits for actor 2.
  check_good("0: send 1 0 ; send 2 0\n1: recv * 1 ; recv * 0\n2: recv 0 0 ; send 1 1\n", eager);
  for (const Policy& policy : {infinite, zero, eager}) {
    const std::string litmus = "0: send 1 0 ; send 1 0 ; send 2 0\n1: recv * 1 ; recv 0 0 ; recv 0 0\n2: recv 0 0 ; "
                               "send 1 1\n3: \n";
    CHECK(predicted(litmus, policy).texts == ends_of(litmus, Reduction::none, policy).texts);
  }
}

TEST_CASE("a message that fits only into one of the buffers", "[predict]") {
  const std::string litmus = "0: room 4 ; recv * 0 ; room 8 ; recv * 0\n1: send 0 0\n2: bytes 8 ; send 0 0\n";
  const Ends ends = predicted(litmus, infinite);
  REQUIRE(ends.texts.size() == 1);
  CHECK(ends.texts.begin()->find("longer than its buffer") != std::string::npos);
}

TEST_CASE("a fan-in of 256 messages is decided at once", "[predict]") {
  const auto begin = std::chrono::steady_clock::now();
  const Ends good = predicted(tests::fan_in(256), infinite);
  CHECK(good.texts.empty());
  CHECK(good.is_all);
  std::string robbed = "0: ";
  for (int i = 0; i < 255; ++i) robbed += "recv * 0 ; ";
  robbed += "recv 256 0\n";
  for (int i = 1; i <= 256; ++i) robbed += std::to_string(i) + ": send 0 0\n";
  const Ends bad = predicted(robbed, infinite);
  CHECK(bad.verdict.prediction.value().confirmed == 1);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));  // 257! orders
}

TEST_CASE("of a program, only what was seen is claimed", "[predict]") {
  const std::string branch = "0: recv * 0 ; recv * 0 ; onsrc 1: recv 1 5\n1: send 0 0\n2: send 0 0\n";
  const Ends ends = predicted(branch, infinite, false);
  CHECK((!ends.texts.empty() || !ends.is_all));
  const Ends good = predicted(tests::fan_in(3), infinite, false);
  CHECK(good.texts.empty());
  CHECK_FALSE(good.is_all);
  REQUIRE(good.verdict.reasons.size() == 1);
  CHECK(good.verdict.reasons[0].find("each actor makes the calls of the recorded one") != std::string::npos);
  CHECK(predicted("0: recv 1 0\n1: send 0 0\n", infinite, false).is_all);  // there is no other execution
}

TEST_CASE("all deadlocks, if they are asked for", "[predict]") {
  const std::string litmus = "0: recv * 0 ; recv * 0 ; recv 3 0\n1: recv * 1\n2: send 0 0\n3: send 0 0 ; send 1 1\n"
                             "4: send 0 0\n";
  const Ends one = predicted(litmus, infinite);
  const Ends all = predicted(litmus, infinite, true, true);
  CHECK(one.verdict.prediction.value().confirmed == 1);
  CHECK(all.texts == ends_of(litmus, Reduction::none, infinite).texts);
}

}  // namespace
}  // namespace predictor_test
