// SPDX-License-Identifier: MIT
//
// The fewest decisions that lead to a finding.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mc/counterexample/runs.hpp"

namespace rehearse::mc::counterexample {

struct Minimal {
  std::vector<Forced> decisions;  // all others are the first alternatives
  std::uint32_t before = 0;       // the number of unusual decisions of the schedule
  bool is_fewest = false;         // no execution with fewer shows the finding
};

Forced all_of(const std::vector<Forced>& decisions);

// Nothing if the schedule does not lead to the finding.
std::optional<Minimal> minimise(Runs& runs, const Schedule& schedule);

}  // namespace rehearse::mc::counterexample
