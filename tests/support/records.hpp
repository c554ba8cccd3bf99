// SPDX-License-Identifier: MIT
//
// Records of executions, made by hand, and all that they say in words: for tests of what is kept and counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mc/verdict/execution.hpp"
#include "mc/verdict/limits.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::tests {

mc::history::Hash128 hash_number(std::uint64_t number);  // another one for each

Finding plain_finding(const std::string& id, Severity severity = Severity::error, const std::string& message = "");

// One of the class of this number, which is all that was decided.
mc::verdict::Execution plain_execution(std::uint64_t of_class, bool is_complete = true);

// It ends this way, which was not reported before.
void add_recorded_end(mc::verdict::Execution& execution, std::uint64_t shape, std::uint32_t policy,
                      const Finding& finding);
// Reported before.
void add_known_end(mc::verdict::Execution& execution, std::uint64_t shape, std::uint32_t policy);

// With something of everything.
mc::verdict::Execution random_execution(SplitMix& chance);
mc::reduction::Path random_path(SplitMix& chance);

std::string text_of(const mc::verdict::Execution& execution);
std::string text_of(const mc::reduction::Path& path);
std::string text_of(const mc::verdict::Limits& limits);

}  // namespace rehearse::tests
