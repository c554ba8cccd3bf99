// SPDX-License-Identifier: MIT
//
// The smallest number of ranks with which a program shows a finding that it showed with more.
//
// Meaning: with another number of ranks a finding is the same if check, calls and lines are.
// Limits:  each number is explored for some time only: what is not found may be there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/counterexample.hpp"
#include "mc/explore.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::app {

// "fewer": n-1, n-2, ... 2; or numbers with commas, each at least 1 and below n. Ascending.
Result<std::vector<std::uint32_t>> read_ranks(const std::string& text, std::uint32_t ranks);

struct FewerRanks {
  std::vector<std::uint32_t> tried;           // the smallest first, up to the one that shows it
  std::optional<Counterexample> found;        // with the last one tried
};

// `how`: as it was explored with all ranks. Each number in a process of its own, for about so many seconds.
FewerRanks try_fewer_ranks(const Counterexample& found, const std::vector<std::uint32_t>& ranks,
                           const mc::ExploreOptions& how, const Judge& judge, double seconds);

}  // namespace rehearse::app
