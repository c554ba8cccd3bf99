// SPDX-License-Identifier: MIT
//
// Proofs over words, against all interleavings of small programs. Each rule of the net is left out once: then some
// program with an error counts as proved.
#include "mc/footprints/word_proof.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <string>

#include "mc/flow/solver.hpp"
#include "tests/unit/mc/footprints/model_program.hpp"

namespace word_proof_test {

using namespace rehearse;
using namespace rehearse::mc::footprints;
using tests::ModelCode;
using tests::ModelInstruction;
using Kind = ModelInstruction::Kind;
using Storing = ModelInstruction::Effect;

namespace {

ModelInstruction send_to(std::uint32_t actor, std::uint64_t value) {
  ModelInstruction send;
  send.kind = Kind::send;
  send.actor = actor;
  send.tag = 0;
  send.value = value;
  return send;
}

ModelInstruction receive(Storing effect) {
  ModelInstruction any;
  any.effect = effect;
  return any;
}

ModelInstruction assertion(Kind kind, std::uint64_t value) {
  ModelInstruction check;
  check.kind = kind;
  check.value = value;
  return check;
}

// Actor 0 receives one message of each other actor, a power of two.
ModelCode fan_in(std::uint32_t senders, Storing effect) {
  ModelCode code(senders + 1);
  for (std::uint32_t sender = 1; sender <= senders; ++sender) {
    code[sender].push_back(send_to(0, std::uint64_t{1} << (sender - 1)));
    code[0].push_back(receive(effect));
  }
  return code;
}

// Gives up after some seconds, so that a test ends.
WordNet::GoesOn for_seconds(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  return [end] { return std::chrono::steady_clock::now() < end; };
}

WordProof prove_model(const ModelCode& code, const Rules& rules = {}, double seconds = 5) {
  const auto machine = tests::make_model(code);
  return prove(*machine, for_seconds(seconds), rules);
}

constexpr std::size_t most_states = 4000;

struct Comparison {
  std::uint32_t programs = 0, right = 0, proved = 0, wrong = 0;
};

Comparison compare(std::uint32_t first, std::uint32_t count, const Rules& rules, double seconds) {
  Comparison sum;
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    const ModelCode code = tests::random_model(seed);
    const auto machine = tests::make_model(code);
    const std::optional<bool> has_error = tests::has_error(*machine, most_states);
    if (!has_error) continue;
    ++sum.programs;
    sum.right += !*has_error;
    const bool is_proved = prove(*machine, for_seconds(seconds), rules, {5000, 50'000}).why_not.empty();
    sum.proved += is_proved && !*has_error;
    if (!is_proved || !*has_error) continue;
    ++sum.wrong;
    UNSCOPED_INFO("wrong: random_model(" << seed << ")");
  }
  return sum;
}

}  // namespace

TEST_CASE("word proof: a fan-in of sums needs a quadratic number of steps", "[mc][footprints]") {
  if (!mc::flow::Solver::is_there()) FAIL("the tests need CLP");
  for (const std::uint32_t senders : {4u, 8u, 12u}) {
    ModelCode code = fan_in(senders, Storing::add);
    std::uint64_t sum = 0;
    for (std::uint32_t sender = 1; sender <= senders; ++sender) sum += code[sender][0].value = 700 + sender * sender;
    code[0].push_back(assertion(Kind::fail_unless_sum, sum));
    const WordProof proof = prove_model(code, {}, 60);
    INFO(senders << " senders: " << proof.why_not << ", " << proof.questions << " questions");
    CHECK(proof.why_not.empty());
    CHECK(proof.steps == senders * senders + senders + 1);
  }
}

TEST_CASE("word proof: messages that are stored by sender are proved to be there", "[mc][footprints]") {
  for (const std::uint32_t senders : {3u, 6u, 9u}) {
    ModelCode code = fan_in(senders, Storing::store);
    for (std::uint32_t sender = 1; sender <= senders; ++sender) {
      ModelInstruction stored = assertion(Kind::fail_unless_stored, 0);
      stored.actor = sender;
      code[0].push_back(stored);
    }
    const WordProof proof = prove_model(code, {}, 60);
    INFO(senders << " senders: " << proof.why_not);
    CHECK(proof.why_not.empty());
  }
}

TEST_CASE("word proof: a sum that is not what the program asserts is no proof", "[mc][footprints]") {
  ModelCode code = fan_in(5, Storing::add);
  code[0].push_back(assertion(Kind::fail_unless_sum, 30));
  CHECK_FALSE(prove_model(code).why_not.empty());
}

TEST_CASE("word proof: one bad partial sum is never proved right", "[mc][footprints]") {
  for (std::uint32_t senders = 4; senders <= 5; ++senders)
    for (std::uint64_t bad = 1; bad < (std::uint64_t{1} << senders); ++bad) {
      const ModelCode plain = fan_in(senders, Storing::add);
      ModelCode code = plain;
      code[0].clear();
      for (const ModelInstruction& instruction : plain[0]) {
        code[0].push_back(instruction);
        code[0].push_back(assertion(Kind::fail_if_sum, bad));
      }
      INFO(senders << " senders, sum " << bad);
      CHECK_FALSE(prove_model(code, {}, 2).why_not.empty());
    }
}

TEST_CASE("word proof: no program with an error in some interleaving is proved", "[mc][footprints]") {
  const Comparison comparison = compare(1000, 400, {}, 2);
  INFO(comparison.programs << " programs, " << comparison.right << " right, " << comparison.proved << " proved");
  CHECK(comparison.wrong == 0);
  CHECK(comparison.programs > 300);
  CHECK(comparison.proved * 10 > comparison.right * 7);
}

TEST_CASE("word proof: without a rule, a program with an error is proved", "[mc][footprints]") {
  const auto wrong_without = [](bool Rules::*rule) {
    Rules rules;
    rules.*rule = false;
    return compare(1000, 400, rules, 2).wrong;
  };
  CHECK(wrong_without(&Rules::tries_all_values) > 0);
  CHECK(wrong_without(&Rules::asks_before_steps) > 0);
  CHECK(wrong_without(&Rules::looks_again) > 0);
  CHECK(wrong_without(&Rules::asks_again) > 0);
}

TEST_CASE("word proof: thousands of random programs", "[.long]") {
  const char* first = std::getenv("REHEARSE_FIRST");
  const Comparison comparison =
      compare(first == nullptr ? 100'000 : static_cast<std::uint32_t>(std::atoi(first)), 5000, {}, 2);
  WARN(comparison.programs << " programs, " << comparison.right << " right, " << comparison.proved << " proved");
  CHECK(comparison.wrong == 0);
}

}  // namespace word_proof_test
