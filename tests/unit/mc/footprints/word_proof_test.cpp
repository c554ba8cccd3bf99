// SPDX-License-Identifier: MIT
//
// Proofs over words, against all interleavings of small programs. Each rule of the net is left out once: then some
// program with an error counts as proved.
#include "mc/footprints/word_proof.hpp"

#include <catch2/catch.hpp>
#include <chrono>
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

// `numbers`: with more of them, a step sends groups.
Comparison compare(std::uint32_t first, std::uint32_t count, const Rules& rules = {}, std::size_t numbers = 4,
                   ModelCode (*model)(std::uint32_t) = tests::random_model) {
  Comparison sum;
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    const ModelCode code = model(seed);
    const auto machine = tests::make_model(code);
    const std::optional<bool> has_error = tests::has_error(*machine, most_states);
    if (!has_error) continue;
    ++sum.programs;
    sum.right += !*has_error;
    const bool is_proved = prove(*machine, for_seconds(2), rules, {5000, 50'000, 64, numbers}).why_not.empty();
    sum.proved += is_proved && !*has_error;
    if (!is_proved || !*has_error) continue;
    ++sum.wrong;
    UNSCOPED_INFO("wrong: program " << seed);
  }
  return sum;
}

ModelCode with_sum_asserted(ModelCode code) {
  std::uint64_t sum = 0;
  for (std::uint32_t sender = 1; sender < code.size(); ++sender) sum += code[sender][0].value = 700 + sender * sender;
  code[0].push_back(assertion(Kind::fail_unless_sum, sum));
  return code;
}

}  // namespace

TEST_CASE("word proof: a fan-in of sums needs a quadratic number of steps", "[mc][footprints]") {
  if (!mc::flow::Solver::is_there()) FAIL("the tests need CLP");
  for (const std::uint32_t senders : {4u, 8u, 16u, 31u}) {
    const WordProof proof = prove_model(with_sum_asserted(fan_in(senders, Storing::add)), {}, 60);
    INFO(senders << " senders: " << proof.why_not << ", " << proof.questions << " questions");
    CHECK(proof.why_not.empty());
    CHECK(proof.steps == senders * senders + senders + 1);
  }
}

TEST_CASE("word proof: messages that are stored by sender are proved to be there", "[mc][footprints]") {
  for (const std::uint32_t senders : {3u, 9u, 31u}) {
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

TEST_CASE("word proof: partial sums that are sent on have all their values", "[mc][footprints]") {
  for (const bool is_right : {true, false}) {
    ModelCode code = fan_in(5, Storing::add);
    for (std::uint32_t sender = 1; sender <= 5; ++sender) {
      code[sender].push_back(receive(Storing::add));
      code[sender].push_back(assertion(Kind::fail_if_sum, is_right ? 32 : 12));
      code[0].push_back(send_to(sender, 0));
      code[0].back().carries = ModelInstruction::Carries::sum;
    }
    std::vector<ModelInstruction> alternating;  // an answer after each receive
    for (std::size_t i = 0; i < 5; ++i) {
      alternating.push_back(code[0][i]);
      alternating.push_back(code[0][5 + i]);
    }
    code[0] = alternating;
    const WordProof proof = prove_model(code, {}, 60);
    INFO(proof.why_not);
    CHECK(proof.why_not.empty() == is_right);
  }
}

TEST_CASE("word proof: a second fan-in begins with what is known after the first one", "[mc][footprints]") {
  ModelCode code = fan_in(6, Storing::add);
  code[0].push_back(assertion(Kind::fail_unless_sum, 63));
  for (std::uint32_t sender = 1; sender <= 6; ++sender) {
    code[0].push_back(send_to(sender, 1));
    code[sender].push_back(receive(Storing::add));
    code[sender].push_back(send_to(0, std::uint64_t{1} << (6 + sender)));
  }
  for (int i = 0; i < 6; ++i) code[0].push_back(receive(Storing::add));
  code[0].push_back(assertion(Kind::fail_unless_sum, 63 + 63 * 128));
  const WordProof proof = prove_model(code, {}, 60);
  INFO(proof.why_not);
  CHECK(proof.why_not.empty());
  CHECK(proof.steps == 2 * 36 + 6 + 7);
}

TEST_CASE("word proof: a sum that is not what the program asserts is no proof", "[mc][footprints]") {
  ModelCode code = fan_in(5, Storing::add);
  code[0].push_back(assertion(Kind::fail_unless_sum, 30));
  CHECK_FALSE(prove_model(code).why_not.empty());
}

TEST_CASE("word proof: one bad partial sum is never proved right", "[mc][footprints]") {
  for (std::uint32_t senders = 4; senders <= 8; ++senders)
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

TEST_CASE("word proof: partial sums that cannot be are no obstacle", "[mc][footprints]") {
  const ModelCode plain = fan_in(6, Storing::add);
  ModelCode code = plain;
  code[0].clear();
  for (const ModelInstruction& instruction : plain[0]) {
    code[0].push_back(instruction);
    code[0].push_back(assertion(Kind::fail_if_sum, 64));
  }
  const WordProof proof = prove_model(code);
  INFO(proof.why_not);
  CHECK(proof.why_not.empty());
}

TEST_CASE("word proof: no program with an error in some interleaving is proved", "[mc][footprints]") {
  const Comparison comparison = compare(1000, 2000);
  INFO(comparison.programs << " programs, " << comparison.right << " right, " << comparison.proved << " proved");
  CHECK(comparison.wrong == 0);
  CHECK(comparison.programs > 1500);
  CHECK(comparison.proved * 100 > comparison.right * 95);
}

TEST_CASE("word proof: without a rule, a program with an error is proved", "[mc][footprints]") {
  const auto wrong_without = [](const auto& leave_out) {
    Rules rules;
    leave_out(rules);
    std::uint32_t wrong = 0;
    for (std::uint32_t first = 1000; first < 9000 && wrong == 0; first += 100) wrong = compare(first, 100, rules).wrong;
    return wrong;
  };
  CHECK(wrong_without([](Rules& rules) { rules.join.compares_constants = false; }) > 0);
  CHECK(wrong_without([](Rules& rules) { rules.join.joins_amounts = false; }) > 0);
  CHECK(wrong_without([](Rules& rules) { rules.tries_all_values = false; }) > 0);
  CHECK(wrong_without([](Rules& rules) { rules.counts_taken = false; }) > 0);
  CHECK(wrong_without([](Rules& rules) { rules.looks_again = false; }) > 0);
  CHECK(wrong_without([](Rules& rules) { rules.passes_over = false; }) > 0);
  CHECK(wrong_without([](Rules& rules) { rules.counts_sends = false; }) > 0);
  CHECK(wrong_without([](Rules& rules) { rules.checks_bases = false; }) > 0);
}

TEST_CASE("word proof: a sum that moves between two words is no obstacle", "[mc][footprints]") {
  ModelCode code = fan_in(8, Storing::shift);
  for (const std::uint64_t asserted : {255u, 254u}) {
    code[0].push_back(assertion(Kind::fail_unless_sum, asserted));
    const WordProof proof = prove_model(code);
    INFO(proof.why_not);
    CHECK(proof.why_not.empty() == (asserted == 255));
    code[0].pop_back();
  }
}

TEST_CASE("word proof: no program that moves words, and has an error, is proved", "[mc][footprints]") {
  const Comparison comparison = compare(1000, 1000, {}, 4, tests::random_model_with_shifts);
  INFO(comparison.programs << " programs, " << comparison.right << " right, " << comparison.proved << " proved");
  CHECK(comparison.wrong == 0);
  CHECK(comparison.proved * 100 > comparison.right * 80);
  Rules rules;
  rules.moves_statements = false;
  CHECK(compare(1000, 1000, rules, 4, tests::random_model_with_shifts).wrong > 0);
}

TEST_CASE("word proof: bags of tasks, whose pieces are added up", "[mc][footprints]") {
  for (const auto& [workers, further] : {std::pair(2u, 2u), {3u, 3u}, {4u, 4u}, {5u, 3u}}) {
    if (workers == 2)
      CHECK(tests::has_error(*tests::make_model(tests::bag_of_tasks(workers, further)), 100'000) == false);
    const WordProof proof = prove_model(tests::bag_of_tasks(workers, further), {}, 60);
    INFO(workers << " workers, " << further << " further pieces: " << proof.why_not);
    CHECK(proof.why_not.empty());
  }
}

TEST_CASE("word proof: no bag of tasks with an error in some interleaving is proved", "[mc][footprints]") {
  for (const std::size_t numbers : {1u, 4u}) {
    const Comparison comparison = compare(1, 400, {}, numbers, tests::random_bag);
    INFO(comparison.programs << " programs, " << comparison.right << " right, " << comparison.proved << " proved");
    CHECK(comparison.wrong == 0);
    CHECK(comparison.proved * 100 > comparison.right * 80);
  }
}

TEST_CASE("word proof: without a rule about groups or origins, a program with an error is proved", "[mc][footprints]") {
  const auto wrong_without = [](bool Rules::*rule, std::size_t numbers) {
    Rules rules;
    rules.*rule = false;
    for (std::uint32_t first = 1; first < 6000; first += 100)
      for (const auto model : {tests::random_model, tests::random_bag})
        if (compare(first, 100, rules, numbers, model).wrong > 0) return true;
    return false;
  };
  CHECK(wrong_without(&Rules::all_numbers, 1));
}

// Actor 0 answers its first message and its second one. Actor 1 gets the same answer from both, actor 2 from one of
// them: the answers to the first message exclude each other, but not these two. Both are passed on to actor 3.
TEST_CASE("word proof: messages exclude each other only if every way to send them says so", "[mc][footprints]") {
  ModelCode code(4);
  ModelInstruction reply;
  reply.kind = Kind::reply;
  reply.tag = 0;
  code[0] = {receive(Storing::nothing), reply, receive(Storing::nothing), reply};
  for (const std::uint32_t other : {1u, 2u})
    code[other] = {send_to(0, 1), receive(Storing::nothing), send_to(3, other)};
  code[3] = {receive(Storing::add), receive(Storing::add), assertion(Kind::fail_if_sum, 3)};
  CHECK(tests::has_error(*tests::make_model(code), most_states) == true);
  CHECK_FALSE(prove_model(code).why_not.empty());
  Rules rules;
  rules.all_senders = false;
  CHECK(prove_model(code, rules).why_not.empty());
}

// Actor 2 sends to actor 0 after its first message. If this message came from actor 0, actor 0 has already taken one.
// If it came along 4, 5 and 6, which the net finds later, it need not have.
TEST_CASE("word proof: what a message needs, every way to send it needs", "[mc][footprints]") {
  ModelCode code(7);
  ModelInstruction from_2 = assertion(Kind::fail_if_from, 0);
  from_2.actor = 2;
  code[0] = {receive(Storing::nothing), from_2, send_to(2, 1), receive(Storing::nothing)};
  code[2] = {receive(Storing::nothing), send_to(0, 1), receive(Storing::nothing)};
  code[3] = {send_to(0, 1)};
  code[4] = {send_to(5, 1)};
  code[5] = {receive(Storing::nothing), send_to(6, 1)};
  code[6] = {receive(Storing::nothing), send_to(2, 1)};
  CHECK(tests::has_error(*tests::make_model(code), most_states) == true);
  CHECK_FALSE(prove_model(code).why_not.empty());
  Rules rules;
  rules.join.compares_needs = false;
  CHECK(prove_model(code, rules).why_not.empty());
}

// The word has the value of actor 1 or 2 when actor 3's message, which is 5 or 6, replaces it. If the message of actor
// 1 is the last one, it fails with 5.
TEST_CASE("word proof: what a message replaces has one value, or its amount is not known", "[mc][footprints]") {
  ModelCode code(6);
  for (const std::uint32_t sender : {1u, 2u}) code[sender] = {send_to(0, sender)};
  ModelInstruction add = receive(Storing::add), replace = receive(Storing::replace), last = receive(Storing::nothing);
  add.tag = last.tag = 0;
  replace.tag = 1;
  ModelInstruction from_2 = assertion(Kind::skip_if_from, 0), on = send_to(0, 0);
  from_2.actor = 2;
  on.tag = 1;
  on.carries = ModelInstruction::Carries::sum;
  code[0] = {add, replace, last, from_2, assertion(Kind::fail_if_sum, 5)};
  code[3] = {receive(Storing::replace), on, receive(Storing::nothing)};
  for (const std::uint32_t sender : {4u, 5u}) code[sender] = {send_to(3, sender + 1)};
  CHECK(tests::has_error(*tests::make_model(code), 100'000) == true);
  CHECK_FALSE(prove_model(code).why_not.empty());
  Rules rules;
  rules.needs_old_value = false;
  CHECK(prove_model(code, rules).why_not.empty());
}

TEST_CASE("word proof: thousands of random programs", "[.long]") {
  const Comparison comparison = compare(100'000, 20'000);
  INFO(comparison.programs << " programs, " << comparison.right << " right, " << comparison.proved << " proved");
  CHECK(comparison.wrong == 0);
  CHECK(comparison.proved * 100 > comparison.right * 95);
  for (const std::size_t numbers : {1u, 4u}) {
    CHECK(compare(200'000, 10'000, {}, numbers).wrong == 0);
    CHECK(compare(1000, 10'000, {}, numbers, tests::random_bag).wrong == 0);
    CHECK(compare(10'000, 5'000, {}, numbers, tests::random_model_with_shifts).wrong == 0);
  }
}

}  // namespace word_proof_test
