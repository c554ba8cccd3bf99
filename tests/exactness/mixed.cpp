// SPDX-License-Identifier: MIT
//
// Comparing mixed buffering with each set of buffered sends.
#include "tests/exactness/mixed.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <set>

#include "tests/exactness/buffered_sends.hpp"
#include "tests/exactness/comparison.hpp"
#include "tests/support/ends.hpp"

namespace rehearse::tests {

using namespace mc;

namespace {

constexpr std::uint32_t most_sends = 6;

std::uint32_t sends_of(const std::string& litmus) {
  std::uint32_t sends = 0;
  for (const auto& instructions : instructions_of(litmus))
    sends += static_cast<std::uint32_t>(std::ranges::count_if(instructions, is_standard_send));
  return sends;
}

void print_only(const char* whose, const std::set<std::string>& ends, const std::set<std::string>& others) {
  for (const std::string& end : ends)
    if (!others.contains(end)) std::printf("  only %s: %s\n", whose, end.c_str());
}

}  // namespace

bool MixedComparison::add(std::uint64_t seed) {
  const std::string litmus = random_sends(seed, seed % 2 == 0);
  if (sends_of(litmus) > most_sends) return true;
  return add(seed, litmus, false) && add(seed, litmus, true);
}

bool MixedComparison::add(std::uint64_t seed, const std::string& litmus, bool synchronising) {
  const Ends found = ends_of(litmus, Reduction::matching, {Policy::mixed, synchronising}, most_executions);
  std::set<std::string> all, plain;
  bool is_all = found.is_all;
  const std::uint32_t sets = 1u << sends_of(litmus);
  for (std::uint32_t set = 0; set < sets && is_all; ++set) {
    std::uint32_t number = 0;
    const std::string with = with_buffered(litmus, [&](const std::string&) { return (set >> number++ & 1u) != 0; });
    const Ends ends = ends_of(with, Reduction::none, {0, synchronising}, most_executions);
    is_all = is_all && ends.is_all;
    all.insert(ends.texts.begin(), ends.texts.end());
    if (set == 0 || set == sets - 1) plain.insert(ends.texts.begin(), ends.texts.end());
  }
  if (!is_all) {
    ++too_large_;
    return true;
  }
  ++programs_;
  ends_ += all.size();
  own_ += !std::ranges::includes(plain, all);
  if (all == found.texts) return true;
  std::printf("MIXED BUFFERING, seed %" PRIu64 "%s\n%s", seed, synchronising ? ", synchronising" : "", litmus.c_str());
  print_only("with some set of sends", all, found.texts);
  print_only("found", found.texts, all);
  return false;
}

void MixedComparison::print() const {
  std::printf("mixed buffering: %" PRIu64 " programs and policies, %" PRIu64 " too large, %" PRIu64
              " bad ends; %" PRIu64 " have an end that neither buffering of all sends nor of none has\n",
              programs_, too_large_, ends_, own_);
  std::fflush(stdout);
}

}  // namespace rehearse::tests
