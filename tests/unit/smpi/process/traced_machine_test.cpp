// SPDX-License-Identifier: MIT
//
// Nets over the words of loaded programs: what they prove, and what they do not.
#include "mc/footprints/traced_machine.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "mc/flow/solver.hpp"
#include "mc/footprints/word_proof.hpp"
#include "smpi/abi.hpp"
#include "smpi/process.hpp"

namespace traced_machine_test {

using namespace rehearse;
using namespace rehearse::mc::footprints;

namespace {

// The proof of tests/programs/process/words.c with this code.
WordProof prove_words(std::uint32_t ranks, const std::string& code, Waiting waiting = {}) {
  if (!mc::flow::Solver::is_there()) FAIL("the tests need CLP");
  smpi::LaunchSpec spec;
  spec.path = std::string(REHEARSE_PROCESS_PROGRAMS) + "/words";
  spec.argv = {"words", code};
  spec.ranks = ranks;
  spec.find_mpi_symbol = smpi::find_mpi_symbol;
  spec.describe_call = smpi::print_current_call;
  spec.clear_dead_memory = true;
  auto loaded = smpi::load_program(spec);
  REQUIRE(loaded);
  TracedMachine machine(*loaded.value(), waiting);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  return prove(machine, [end] { return std::chrono::steady_clock::now() < end; });
}

std::string repeated(const std::string& part, std::uint32_t times) {
  std::string all;
  for (std::uint32_t i = 0; i < times; ++i) all += part;
  return all;
}

}  // namespace

TEST_CASE("traced machine: a fan-in of sums needs a quadratic number of steps", "[mc][footprints]") {
  for (const std::uint32_t senders : {3u, 6u}) {
    const WordProof proof = prove_words(senders + 1, repeated("R990", senders) + repeated("/S001", senders));
    INFO(proof.why_not);
    CHECK(proof.why_not.empty());
    CHECK(proof.steps == senders * senders + senders + 1);
  }
}

TEST_CASE("traced machine: one bad partial sum is never proved right", "[mc][footprints]") {
  for (int bad = 1; bad < 16; ++bad) {
    const std::string check = bad < 10 ? "E0" + std::to_string(bad) + "0"
                                       : std::string("E0") + char('a' + bad - 10) + "0";
    INFO(bad);
    CHECK_FALSE(prove_words(5, repeated("R990" + check, 4) + "/S001/S002/S004/S008").why_not.empty());
  }
  const WordProof proof = prove_words(5, repeated("R990E0g0", 4) + "/S001/S002/S004/S008");
  INFO(proof.why_not);
  CHECK(proof.why_not.empty());
}

TEST_CASE("traced machine: sends that may wait", "[mc][footprints]") {
  const std::string head_to_head = "S101R103/S001R003";
  CHECK(prove_words(2, head_to_head).why_not.empty());
  CHECK_FALSE(prove_words(2, head_to_head, {.sends = true}).why_not.empty());
  const WordProof in_turn = prove_words(2, "S101R103/R003S001", {.sends = true});
  INFO(in_turn.why_not);
  CHECK(in_turn.why_not.empty());
}

TEST_CASE("traced machine: collectives are messages to whoever waits", "[mc][footprints]") {
  const WordProof proof = prove_words(4, "R990R990R990B000/S001B000/S002B000/B000S003", {});
  INFO(proof.why_not);
  CHECK_FALSE(proof.why_not.empty());  // rank 3 sends behind the barrier, and rank 0 waits before it
  CHECK(prove_words(4, "R990R990B000R990/S001B000/S002B000/B000S003").why_not.empty());
}

}  // namespace traced_machine_test
