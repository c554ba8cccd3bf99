// SPDX-License-Identifier: MIT
//
// The smallest number of ranks with which a program shows a known finding.
//
// Meaning: with another number of ranks a finding is the same if check, calls and lines are the same.
// Limits:  the time for each number is limited, so a finding may be missed.
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
  std::vector<std::uint32_t> tried;     // ascending, up to the one that shows the finding
  std::optional<Counterexample> found;  // with the last one tried
};

// `how`: the options of the exploration with all ranks. Each number runs in a separate process, for about `seconds`.
FewerRanks try_fewer_ranks(const Counterexample& found, const std::vector<std::uint32_t>& ranks,
                           const mc::ExploreOptions& how, const Judge& judge, double seconds);

}  // namespace rehearse::app
