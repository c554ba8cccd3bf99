// SPDX-License-Identifier: MIT
//
// Damages: a line less, a line twice, two lines exchanged, another number in a line.
#include "tests/exactness/proof_check.hpp"

#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "mc/kept_proof.hpp"
#include "proof/check_proof.hpp"
#include "simcore/support/random.hpp"
#include "tests/exactness/comparison.hpp"
#include "tests/exactness/net_states.hpp"
#include "tests/support/ends.hpp"
#include "tests/support/litmus.hpp"

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

bool is_accepted(const std::string& text) {
  std::istringstream in(text);
  const Result<proof::Judgement> judged = proof::check_proof(in);
  return judged && judged.value().refusal.empty();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

// Another number in the place of one of the line.
std::string with_other_number(const std::string& line, SplitMix& draw) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(std::move(word));
  if (words.size() < 2) return line;
  std::string& word = words[1 + draw.below(words.size() - 1)];
  const std::int64_t change = draw.below(2) == 0 ? 1 : -1;
  word = word.find_first_not_of("-0123456789") == std::string::npos && word != "-"
             ? std::to_string(std::stoll(word) + change)
             : "0";
  std::string result;
  for (const std::string& each : words) result += (result.empty() ? "" : " ") + each;
  return result;
}

std::string damaged(const std::string& text, SplitMix& draw) {
  std::vector<std::string> lines = lines_of(text);
  const std::size_t at = 2 + draw.below(lines.size() - 2), other = 2 + draw.below(lines.size() - 2);
  switch (draw.below(4)) {
    case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 1: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[other]); break;
    case 2: std::swap(lines[at], lines[other]); break;
    default: lines[at] = with_other_number(lines[at], draw);
  }
  std::string result;
  for (const std::string& line : lines) result += line + '\n';
  return result;
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
