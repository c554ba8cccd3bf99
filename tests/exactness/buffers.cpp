// SPDX-License-Identifier: MIT
//
// Comparing sets of buffered sends with all interleavings, and their sizes with those of all other sets.
#include "tests/exactness/buffers.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <set>
#include <vector>

#include "mc/needed_buffers.hpp"
#include "tests/exactness/buffered_sends.hpp"
#include "tests/exactness/comparison.hpp"
#include "tests/support/ends.hpp"
#include "tests/support/litmus.hpp"

namespace rehearse::tests {

using namespace mc;

namespace {

constexpr std::size_t most_compared = 8;  // sends, each of whose sets is tried
const std::vector<Policy> policies = {Policy{0, false}, Policy{0, true}};

bool has_deadlock(const Ends& ends) {
  return std::ranges::any_of(ends.texts, [](const std::string& end) { return end.find("blocked") != end.npos; });
}

// Nothing: there are too many executions.
std::optional<bool> deadlocks(const std::string& litmus, Reduction reduction) {
  for (const Policy& policy : policies) {
    const Ends ends = ends_of(litmus, reduction, policy, most_executions);
    if (!ends.is_all) return std::nullopt;
    if (has_deadlock(ends)) return true;
  }
  return false;
}

std::function<bool(const std::string&)> are(const std::set<std::string>& chosen) {
  return [&chosen](const std::string& instruction) { return chosen.contains(instruction); };
}

}  // namespace

bool BuffersComparison::add(std::uint64_t seed) {
  const std::string litmus = random_sends(seed, false);
  const std::unique_ptr<Program> program = make_litmus(litmus, true);
  ExploreOptions options;
  options.semantics.policies = policies;
  options.bounds.max_executions = most_executions;
  const NeededBuffers needed = needed_buffers(*program, options);
  if (!needed.is_answered && needed.executions >= most_executions) {
    ++too_large_;
    return true;
  }
  ++programs_;
  unanswered_ += !needed.is_answered;
  const std::vector<std::vector<std::string>> instructions = instructions_of(litmus);
  std::set<std::string> sends;
  for (const BufferedSite& site : needed.sites)
    sends.insert(instructions[site.actor.value][static_cast<std::size_t>(site.call.frames[0].line) - 1]);
  needing_ += !sends.empty() && needed.is_answered;
  compare_size(litmus, needed.is_answered ? sends.size() : most_compared + 1);
  if (!needed.is_answered) return true;
  const auto is_wrong = deadlocks(with_buffered(litmus, are(sends)), Reduction::none);
  if (!is_wrong || !*is_wrong) return true;
  std::printf("WRONG SET, seed %" PRIu64 "\n%s", seed, litmus.c_str());
  for (const std::string& send : sends) std::printf("  buffered: %s\n", send.c_str());
  return false;
}

// Counts how often a smaller set is right, or one where there was no answer.
void BuffersComparison::compare_size(const std::string& litmus, std::size_t found) {
  std::set<std::string> all;
  for (const std::vector<std::string>& instructions : instructions_of(litmus))
    for (const std::string& instruction : instructions)
      if (is_standard_send(instruction)) all.insert(instruction);
  if (all.size() > most_compared || found == 0) return;
  const std::vector<std::string> sends(all.begin(), all.end());
  for (std::uint32_t set = 0; set < 1u << sends.size(); ++set) {
    if (static_cast<std::size_t>(std::popcount(set)) >= found) continue;
    std::set<std::string> chosen;
    for (std::size_t i = 0; i < sends.size(); ++i)
      if ((set >> i & 1u) != 0) chosen.insert(sends[i]);
    const auto is_wrong = deadlocks(with_buffered(litmus, are(chosen)), Reduction::matching);
    if (!is_wrong || *is_wrong) continue;
    ++(found > most_compared ? helped_ : larger_);
    return;
  }
  ++smallest_;
}

void BuffersComparison::print() const {
  std::printf("buffers: %" PRIu64 " programs, %" PRIu64 " need some, %" PRIu64 " without an answer, %" PRIu64
              " too large; of those with few sends %" PRIu64 " have no smaller set, %" PRIu64 " have one, and %" PRIu64
              " have one where there was no answer\n",
              programs_, needing_, unanswered_, too_large_, smallest_, larger_, helped_);
  std::fflush(stdout);
}

}  // namespace rehearse::tests
