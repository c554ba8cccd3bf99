// SPDX-License-Identifier: MIT
//
// Comparing proofs by flow equations with all interleavings.
#include "tests/exactness/flow.hpp"

#include <cinttypes>
#include <cstdio>
#include <string>

#include "tests/exactness/comparison.hpp"
#include "tests/support/ends.hpp"

namespace rehearse::tests {

using namespace mc;

namespace {

bool is_proved(const Verdict& verdict) { return verdict.flow && verdict.flow->why_not.empty() && verdict.exhaustive; }

}  // namespace

bool FlowComparison::add(std::uint64_t seed) {
  const std::string litmus = random_flow_program(seed);
  for (const Policy& policy : all_policies) {
    const Ends all = ends_of(litmus, Reduction::none, policy, most_executions);
    if (!all.is_all) {
      ++too_large_;
      return true;
    }
    const Ends flow = ends_of(litmus, Reduction::flow, policy);
    const bool proved = is_proved(flow.verdict), is_good = all.texts.empty();
    ++pairs_;
    good_ += is_good;
    proved_ += proved;
    of_several_ += is_good && all.verdict.executions > 1;
    proved_of_several_ += proved && all.verdict.executions > 1;
    if (!proved || is_good) continue;
    std::printf("WRONG PROOF, seed %" PRIu64 " under %s\n%s", seed, to_text(policy).c_str(), litmus.c_str());
    for (const std::string& text : all.texts) std::printf("  %s\n", text.c_str());
    return false;
  }
  ++programs_;
  return true;
}

void FlowComparison::print() const {
  std::printf("flow: %" PRIu64 " programs, %" PRIu64 " pairs with a policy, %" PRIu64 " of them good, %" PRIu64
              " proved; of several classes %" PRIu64 " good, %" PRIu64 " proved; %" PRIu64 " too large\n",
              programs_, pairs_, good_, proved_, of_several_, proved_of_several_, too_large_);
  std::fflush(stdout);
}

bool proves_no_bad_sum(std::uint32_t senders) {
  for (std::uint32_t subset = 1; subset < 1u << senders; ++subset) {
    const Ends flow = ends_of(fan_in_with_bad_sum(senders, subset), Reduction::flow, Policy{});
    if (flow.verdict.flow && !is_proved(flow.verdict)) continue;
    std::printf("flow equations call the bad sum %u of %u senders verified\n", subset, senders);
    return false;
  }
  return true;
}

}  // namespace rehearse::tests
