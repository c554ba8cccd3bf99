// SPDX-License-Identifier: MIT
//
// Proof files of nets over words: the checker accepts them, and accepts a damaged one only if its claims are true.
#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <string>

#include "mc/footprints/word_proof.hpp"
#include "tests/support/damaged_proof.hpp"
#include "tests/support/net_states.hpp"
#include "tests/unit/mc/footprints/model_program.hpp"

using namespace rehearse;
using namespace rehearse::mc::footprints;

namespace {

constexpr std::size_t most_states = 4000;

// None: there is no proof. Empty: the format cannot hold the net.
std::optional<std::string> proof_of(std::uint32_t seed) {
  const auto machine = tests::make_model(tests::random_model(seed));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  const auto goes_on = [end] { return std::chrono::steady_clock::now() < end; };
  const WordProof proof = prove(*machine, goes_on, {}, {5000, 50'000, 64}, "a random program");
  if (!proof.why_not.empty()) return std::nullopt;
  return proof.text.empty() ? "" : "rehearse-proof 1\n" + proof.text;
}

}  // namespace

TEST_CASE("word proof files: accepted, and damaged ones only if they are true", "[mc][footprints][proof]") {
  std::uint32_t proofs = 0, without_file = 0, refused = 0, false_claims = 0;
  for (std::uint32_t seed = 20'000; seed < 21'000; ++seed) {
    const std::optional<std::string> text = proof_of(seed);
    if (!text) continue;
    ++proofs;
    without_file += text->empty();
    if (text->empty()) continue;
    INFO("random_model(" << seed << ")\n" << *text);
    REQUIRE(tests::is_accepted(*text));
    CHECK(tests::claims_are_true(*text, most_states).value_or(true));
    SplitMix draw(seed);
    for (int i = 0; i < 6; ++i) {
      const std::string other = tests::damaged(*text, draw);
      const bool is_false = !tests::claims_are_true(other, most_states).value_or(true);
      false_claims += is_false;
      refused += !tests::is_accepted(other);
      INFO(other);
      if (is_false) CHECK_FALSE(tests::is_accepted(other));
    }
  }
  CHECK(proofs > 200);
  CHECK(without_file * 20 < proofs);
  CHECK(false_claims > 50);
  CHECK(refused > false_claims);
}

TEST_CASE("word proof files: nothing is written without a label", "[mc][footprints][proof]") {
  const auto machine = tests::make_model({{}, {}});
  const WordProof proof = prove(*machine, [] { return true; });
  CHECK(proof.why_not.empty());
  CHECK(proof.text.empty());
}
