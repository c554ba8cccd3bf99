// SPDX-License-Identifier: MIT
//
// Creates and compares verdicts, for tests of explorers.
#pragma once

#include <string>
#include <vector>

#include "mc/explore.hpp"

namespace rehearse::tests {

// All data of a verdict that must not depend on the number of processes or on the division of work.
std::string text_of(const mc::Verdict& verdict);

// A Judge: actors that wait forever are errors, messages that are never received are warnings.
std::vector<Finding> judge_ends(const Outcome& outcome, const Describe& describe);

// Options for an exploration under two policies with `jobs` processes, which share work from the beginning.
mc::ExploreOptions divided(std::uint32_t jobs);
mc::ExploreOptions all_by(std::uint32_t jobs);  // does not stop at the first error

// The verdict on all executions of the program, with failures as findings.
mc::Verdict explored(Program& program, mc::Reduction reduction);

}  // namespace rehearse::tests
