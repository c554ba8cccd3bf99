// SPDX-License-Identifier: MIT
//
// Proofs of random programs, and damaged ones.
#include "tests/exactness/proof_check.hpp"

#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>

#include "mc/kept_proof.hpp"
#include "simcore/support/random.hpp"
#include "tests/exactness/comparison.hpp"
#include "tests/support/damaged_proof.hpp"
#include "tests/support/ends.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/net_states.hpp"

namespace rehearse::tests {

namespace {

constexpr std::size_t most_states = 20000;
constexpr int damages_of_each = 12;

std::string proof_of(const std::string& litmus, const Policy& policy) {
  const std::unique_ptr<Program> program = make_litmus(litmus);
  mc::ExploreOptions options;
  options.semantics.policies = {policy};
  options.strategy.reduction = mc::Reduction::flow;
  std::string proof;
  mc::explore_and_keep_proof(*program, options, tell_end, proof);
  return proof.empty() ? "" : "rehearse-proof 1\n" + proof;
}

}  // namespace

bool ProofComparison::add(std::uint64_t seed) {
  ++programs_;
  for (const Policy& policy : all_policies) {
    const std::string text = proof_of(random_flow_program(seed), policy);
    if (!text.empty() && !add(text, seed)) return false;
  }
  return true;
}

bool ProofComparison::add(const std::string& text, std::uint64_t seed) {
  ++proofs_;
  if (!is_accepted(text)) {
    std::printf("REFUSED PROOF, seed %" PRIu64 "\n%s", seed, text.c_str());
    return false;
  }
  SplitMix draw(seed);
  for (int i = 0; i < damages_of_each; ++i) {
    const std::string other = damaged(text, draw);
    ++damaged_;
    const std::optional<bool> is_true = claims_are_true(other, most_states);
    too_large_ += !is_true;
    false_ += is_true && !*is_true;
    if (!is_accepted(other)) continue;
    ++accepted_;
    if (!is_true || *is_true) continue;
    std::printf("ACCEPTED DAMAGE, seed %" PRIu64 "\n%s", seed, other.c_str());
    return false;
  }
  return true;
}

void ProofComparison::print() const {
  std::printf("proofs: %" PRIu64 " programs, %" PRIu64 " proofs, %" PRIu64 " damaged ones: %" PRIu64
              " make a false claim, %" PRIu64 " cannot be read or are too large, %" PRIu64 " are accepted\n",
              programs_, proofs_, damaged_, false_, too_large_, accepted_);
  std::fflush(stdout);
}

}  // namespace rehearse::tests
