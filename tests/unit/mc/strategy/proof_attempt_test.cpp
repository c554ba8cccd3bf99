// SPDX-License-Identifier: MIT
//
// Attempts to decide a long exploration by flow equations and with merged states: proofs, errors, and programs that
// they cannot decide.
#include "mc/strategy/proof_attempt.hpp"

#include <unistd.h>
#include <catch2/catch.hpp>

#include <memory>
#include <string>

#include "mc/explore.hpp"
#include "simcore/caveats.hpp"
#include "tests/support/ends.hpp"
#include "tests/support/litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;

namespace {

// Actor 0 adds up what `senders` others send, which is 1, 2, 4, ... At the end each number, the exit status, is 0.
std::string sum_of(std::uint32_t senders, const std::string& after_each = "") {
  std::string text = "0: ";
  for (std::uint32_t s = 0; s < senders; ++s) text += "recv * 0 ; sum ; " + after_each;
  text += "set 0\n";
  for (std::uint32_t s = 1; s <= senders; ++s)
    text += std::to_string(s) + ": set " + std::to_string(1u << (s - 1)) + " ; asend 0 0 ; set 0\n";
  return text;
}

// As above, but the last sender sends after a barrier, and only then the receiver takes its message. For flow equations
// this message may as well have come first.
std::string sum_and_late_message(std::uint32_t senders) {
  std::string text = "0: ";
  for (std::uint32_t s = 0; s < senders; ++s) text += "recv * 0 ; sum ; ";
  text += "barrier ; recv " + std::to_string(senders + 1) + " 0 ; set 0\n";
  for (std::uint32_t s = 1; s <= senders; ++s)
    text += std::to_string(s) + ": set " + std::to_string(1u << (s - 1)) + " ; asend 0 0 ; set 0 ; barrier\n";
  return text + std::to_string(senders + 1) + ": barrier ; asend 0 0 ; set 0\n";
}

Verdict explore_with_attempt(const std::string& litmus, ExploreOptions options = {}) {
  const std::unique_ptr<Program> program = tests::make_litmus(litmus);
  options.semantics.policies = {Policy{}};
  options.strategy.attempts_proof = true;
  options.strategy.proof_after_executions = options.strategy.proof_after_at_least = 1;
  options.bounds.max_seconds = 60;
  return explore(*program, options, tests::tell_end);
}

}  // namespace

TEST_CASE("proof_attempt: flow equations verify a fan-in of eleven messages without its 39,916,800 executions",
          "[mc][flow]") {
  for (const std::uint32_t jobs : {1u, 2u}) {
    ExploreOptions options;
    options.strategy.jobs = jobs;
    const Verdict verdict = explore_with_attempt(tests::fan_in(11), options);
    CHECK(verdict.exhaustive);
    CHECK(verdict.reasons.empty());
    CHECK(verdict.findings.empty());
    CHECK_FALSE(verdict.merging);
    REQUIRE(verdict.flow);
    CHECK(verdict.flow->why_not.empty());
    CHECK(verdict.flow->steps == 11 * 11 + 11 + 1);  // each message at each receive, and the starts
    CHECK(verdict.flow->questions > 0);
  }
}

TEST_CASE("proof_attempt: where flow equations prove nothing, merged states verify", "[mc][merged]") {
  const Verdict verdict = explore_with_attempt(sum_and_late_message(10));
  CHECK(verdict.exhaustive);
  CHECK(verdict.reasons.empty());
  CHECK_FALSE(verdict.flow);
  REQUIRE(verdict.merging);
  CHECK(verdict.merging->states >= std::uint64_t{1} << 10);
}

TEST_CASE("proof_attempt: a proof leaves the exploration's other reasons, and its assumptions", "[mc][flow]") {
  const pid_t self = getpid();
  for (const std::string& litmus : {tests::fan_in(11), sum_and_late_message(10)}) {
    ExploreOptions options;
    // Something that only the exploring process has met.
    options.hooks.caveats = [self] {
      return getpid() == self ? Caveats{{"a feature"}, {"something holds"}} : Caveats{{}, {"another thing holds"}};
    };
    const Verdict verdict = explore_with_attempt(litmus, options);
    CHECK((verdict.flow || verdict.merging));  // there is a proof
    CHECK_FALSE(verdict.exhaustive);
    CHECK(verdict.reasons == std::vector<std::string>{"a feature: not all of its outcomes are explored yet"});
    CHECK(verdict.assumptions == std::vector<std::string>{"something holds", "another thing holds"});
  }
}

// The first execution receives in the order of senders, and the last one to change is the first receive.
TEST_CASE("proof_attempt: an error of merged states ends the exploration and can be replayed", "[mc][merged]") {
  const std::string bad_first = sum_of(12, "failif 3072 ; ");  // the messages of the last two senders first
  const Verdict verdict = explore_with_attempt(bad_first);
  CHECK(!verdict.exhaustive);
  CHECK(!verdict.merging);
  REQUIRE(verdict.findings.size() >= 1);
  CHECK(verdict.findings.front().severity == Severity::error);
  INFO(verdict.findings.front().message);
  CHECK(verdict.findings.front().message.find("failed") != std::string::npos);
}

TEST_CASE("proof_attempt: with --all an error does not end the exploration", "[mc][merged]") {
  ExploreOptions options;
  options.bounds.all_findings = true;
  const Verdict verdict = explore_with_attempt(sum_of(6, "failif 48 ; "), options);
  CHECK(verdict.exhaustive);
  CHECK(!verdict.merging);
  CHECK(verdict.executions == 720 - 2 * 24 + 2);  // 2 orders of the last two senders, before the others are received
}

TEST_CASE("proof_attempt: what cannot be merged is explored to its end", "[mc][merged]") {
  const std::string polls = "0: irecv * 0 r ; test r ; wait r ; recv * 0 ; recv * 0 ; recv * 0 ; recv * 0\n"
                            "1: send 0 0\n2: send 0 0\n3: send 0 0\n4: send 0 0\n5: send 0 0\n";
  const Verdict verdict = explore_with_attempt(polls);
  const std::unique_ptr<Program> program = tests::make_litmus(polls);
  ExploreOptions plain;
  plain.semantics.policies = {Policy{}};
  CHECK(!verdict.merging);
  CHECK(!verdict.flow);
  CHECK(verdict.exhaustive);
  CHECK(verdict.executions == explore(*program, plain, tests::tell_end).executions);
}

TEST_CASE("proof_attempt: no attempt where the question is about executions", "[mc][merged]") {
  const std::unique_ptr<Program> program = tests::make_litmus(sum_of(2));
  ExploreOptions options;
  CHECK(strategy::ProofAttempt::is_possible(*program, options));
  ExploreOptions same = options, priced = options, apart = options;
  same.semantics.same_sends = true;
  priced.hooks.price = [](const Schedule&) { return Price(); };
  apart.strategy.apart = true;
  for (const ExploreOptions& other : {same, priced, apart})
    CHECK(!strategy::ProofAttempt::is_possible(*program, other));
}
