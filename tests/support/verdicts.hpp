// SPDX-License-Identifier: MIT
//
// Making and comparing verdicts, for tests of explorers.
#pragma once

#include <string>
#include <vector>

#include "mc/explore.hpp"

namespace rehearse::tests {

// All of a verdict that must not depend on how many processes explored, nor in how many pieces.
std::string text_of(const mc::Verdict& verdict);

// A Judge: actors that wait for ever are errors, messages that nobody received are warnings.
std::vector<Finding> judge_ends(const Outcome& outcome, const Describe& describe);

// Exploring under two policies, by so many processes that share from the first moment on.
mc::ExploreOptions divided(std::uint32_t jobs);
mc::ExploreOptions all_by(std::uint32_t jobs);  // not only up to the first error

// All of its executions, judged by how they fail.
mc::Verdict explored(Program& program, mc::Reduction reduction);

}  // namespace rehearse::tests
