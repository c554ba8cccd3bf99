// SPDX-License-Identifier: MIT
//
// Comparing the ends of merged states with those of all interleavings.
#include "tests/exactness/merged.hpp"

#include <cinttypes>
#include <cstdio>
#include <string>

#include "tests/exactness/comparison.hpp"
#include "tests/support/ends.hpp"

namespace rehearse::tests {

using namespace mc;

namespace {

void print(const char* name, const Ends& ends) {
  std::printf("%s, %s:\n", name, ends.is_all ? "all" : "not all");
  for (const std::string& text : ends.texts) std::printf("  %s\n", text.c_str());
}

}  // namespace

bool MergedComparison::add(std::uint64_t seed) {
  const std::string litmus = random_memory_program(seed);
  for (const Policy& policy : all_policies) {
    const Ends all = ends_of(litmus, Reduction::none, policy, most_executions);
    if (!all.is_all) {
      ++too_large_;
      return true;
    }
    const Ends merged = ends_of(litmus, Reduction::merged, policy);
    const bool is_merged = merged.verdict.merging && merged.verdict.merging->unsupported.empty();
    ++pairs_;
    merged_ += is_merged;
    with_errors_ += is_merged && !all.texts.empty();
    if (is_merged) {
      states_ += merged.verdict.merging->states;
      all_states_ += all.verdict.operations;
    }
    if (merged.is_all && (!is_merged || merged.texts == all.texts)) continue;
    std::printf("DIFFERENCE, seed %" PRIu64 " under %s\n%s", seed, to_text(policy).c_str(), litmus.c_str());
    tests::print("none", all);
    tests::print("merged", merged);
    return false;
  }
  ++programs_;
  return true;
}

void MergedComparison::print() const {
  std::printf("merged: %" PRIu64 " programs, %" PRIu64 " pairs with a policy, %" PRIu64 " of them merged, %" PRIu64
              " of these with bad ends; %" PRIu64 " states instead of %" PRIu64 "; %" PRIu64 " too large\n",
              programs_, pairs_, merged_, with_errors_, states_, all_states_, too_large_);
  std::fflush(stdout);
}

bool finds_each_bad_sum(std::uint32_t senders) {
  for (std::uint32_t subset = 1; subset < 1u << senders; ++subset) {
    const Ends merged = ends_of(fan_in_with_bad_sum(senders, subset), Reduction::merged, Policy{});
    bool fails = false;
    for (const std::string& end : merged.texts) fails |= end.starts_with("failed");
    if (fails && merged.is_all && merged.verdict.merging && merged.verdict.merging->unsupported.empty()) continue;
    std::printf("merged states miss the bad sum %u of %u senders\n", subset, senders);
    return false;
  }
  return true;
}

}  // namespace rehearse::tests
