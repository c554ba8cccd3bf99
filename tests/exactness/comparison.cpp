// SPDX-License-Identifier: MIT
//
// Comparing verdicts.
#include "tests/exactness/comparison.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <numeric>
#include <vector>

#include "tests/exactness/spaces.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/verdicts.hpp"

namespace rehearse::tests {

using namespace mc;

namespace {

// Orders of steps are many more than states.
constexpr std::uint64_t most_states_to_order = 20000;

std::string shown(const Verdict& verdict) {
  return std::to_string(verdict.executions) + " executions, " + std::to_string(verdict.blocked) + " blocked, " +
         std::to_string(verdict.duplicates) + " duplicates, " + std::to_string(verdict.fingerprint);
}

void print_difference(const std::string& litmus, const std::string& policy, const std::string& one,
                      const std::string& two) {
  std::printf("DIFFERENCE under %s\n%s%s\n%s\n", policy.c_str(), litmus.c_str(), one.c_str(), two.c_str());
}

}  // namespace

const std::vector<Policy> policies_of_equal_messages = {Policy{}, Policy{0, false}};
const std::vector<Policy> all_policies = {Policy{}, Policy{0, false}, Policy{4, false}, Policy{Policy::infinite, true},
                                          Policy{0, true}};

Verdict explored(const std::string& litmus, Reduction reduction, const Policy& policy, std::uint64_t max_executions) {
  const std::unique_ptr<Program> program = make_litmus(litmus);
  ExploreOptions options;
  options.strategy.reduction = reduction;
  options.semantics.policies = {policy};
  options.bounds.all_findings = true;
  options.bounds.max_executions = max_executions;
  return explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
}

Comparison::Answer Comparison::compare_under(const std::string& litmus, const Policy& policy) {
  const Verdict fast = explored(litmus, Reduction::matching, policy);
  if (!fast.exhaustive) return Answer::too_large;
  const auto agrees = [&](const char* name, const Verdict& other, bool is_explored_once) {
    if (fast.executions == other.executions && fast.blocked == other.blocked && fast.fingerprint == other.fingerprint &&
        fast.duplicates == 0 && (!is_explored_once || other.duplicates == 0))
      return true;
    print_difference(litmus, to_text(policy), "matching: " + shown(fast), name + (": " + shown(other)));
    return false;
  };
  const Verdict brute = explored(litmus, Reduction::none, policy);
  if (!agrees("none", brute, false)) return Answer::different;
  classes_ += fast.executions;
  ++pairs_;
  if (!is_turn(samples_.odpor) || brute.operations > most_states_to_order) return Answer::same;
  ++ordered_;
  return agrees("odpor", explored(litmus, Reduction::odpor, policy), true) ? Answer::same : Answer::different;
}

bool Comparison::add(const std::string& litmus) {
  for (const Policy& policy : policies_) {
    const Answer answer = compare_under(litmus, policy);
    if (answer == Answer::different) return false;
    if (answer == Answer::same) continue;
    ++too_large_;
    return true;
  }
  if (is_turn(samples_.names) && !compare_names(litmus)) return false;
  if (is_turn(samples_.parts) && !compare_parts(litmus)) return false;
  if (is_turn(samples_.jobs) && !compare_jobs(litmus)) return false;
  ++programs_;
  return true;
}

// Not of programs to which the names matter: by the order of members, by their groups, or as the number of a choice.
bool Comparison::compare_names(const std::string& litmus) {
  if (litmus.find("xb") != std::string::npos || litmus.find("xreduce") != std::string::npos) return true;
  if (litmus.find("scan") != std::string::npos || litmus.find("choose") != std::string::npos) return true;
  std::vector<std::uint32_t> order(static_cast<std::size_t>(std::count(litmus.begin(), litmus.end(), '\n')));
  std::iota(order.begin(), order.end(), 0u);
  for (const Policy& policy : {Policy{}, Policy{0, false}}) {
    const Verdict as_it_is = explored(litmus, Reduction::matching, policy);
    while (std::next_permutation(order.begin(), order.end())) {
      const std::string other = renamed(litmus, order);
      const Verdict verdict = explored(other, Reduction::matching, policy);
      ++renamings_;
      if (as_it_is.executions == verdict.executions && as_it_is.blocked == verdict.blocked && verdict.duplicates == 0)
        continue;
      print_difference(litmus + "and\n" + other, to_text(policy), shown(as_it_is), shown(verdict));
      return false;
    }
  }
  return true;
}

// The same executions in the same order. Parts do not depend on policies. One execution cannot be divided.
bool Comparison::compare_parts(const std::string& litmus) {
  const Visits one = in_one_part(litmus);
  if (one.executions.size() == 1) return true;
  for (const Visits& many : {in_smallest_parts(litmus), in_parts_by_chance(litmus, programs_)}) {
    parts_ += many.parts;
    if (one.executions == many.executions && one.events == many.events) continue;
    print_difference(litmus, "all policies", std::to_string(one.executions.size()) + " executions",
                     "other ones, or in another order, in " + std::to_string(many.parts) + " parts");
    return false;
  }
  return true;
}

// All that is said, with all policies at once.
bool Comparison::compare_jobs(const std::string& litmus) {
  const auto verdict = [&litmus](std::uint32_t jobs) {
    ExploreOptions options;
    options.semantics.policies = all_policies;
    options.bounds.all_findings = true;
    options.strategy.jobs = jobs;
    options.strategy.alone_seconds = options.strategy.undivided_seconds = 0;
    return text_of(explore(*make_litmus(litmus), options, judge_ends));
  };
  const std::string one = verdict(1);
  for (const std::uint32_t jobs : {2u, 3u, 4u}) {
    const std::string several = verdict(jobs);
    ++divided_;
    if (several == one) continue;
    print_difference(litmus, "all policies", one, std::to_string(jobs) + " processes: " + several);
    return false;
  }
  return true;
}

void Comparison::print(const char* what) const {
  std::printf("%s: %" PRIu64 " programs, %" PRIu64 " pairs with a policy, %" PRIu64 " classes, %" PRIu64
              " under other names, %" PRIu64 " parts, %" PRIu64 " with several processes, %" PRIu64
              " by orders of steps; %" PRIu64 " too large\n",
              what, programs_, pairs_, classes_, renamings_, parts_, divided_, ordered_, too_large_);
  std::fflush(stdout);
}

}  // namespace rehearse::tests
