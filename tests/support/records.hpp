// SPDX-License-Identifier: MIT
//
// Hand-made records of executions, and their full content as text, for tests of records and counters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mc/verdict/execution.hpp"
#include "mc/verdict/limits.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::tests {

mc::history::Hash128 hash_number(std::uint64_t number);  // different for each number

Finding plain_finding(const std::string& id, Severity severity = Severity::error, const std::string& message = "");

// An execution of the class with this number; nothing else is decided.
mc::verdict::Execution plain_execution(std::uint64_t of_class, bool is_complete = true);

// Adds an end with a finding that was not reported before.
void add_recorded_end(mc::verdict::Execution& execution, std::uint64_t shape, std::uint32_t policy,
                      const Finding& finding);
// Adds an end that was reported before.
void add_known_end(mc::verdict::Execution& execution, std::uint64_t shape, std::uint32_t policy);

// With random content in every field.
mc::verdict::Execution random_execution(SplitMix& chance);
mc::reduction::Path random_path(SplitMix& chance);

std::string text_of(const mc::verdict::Execution& execution);
std::string text_of(const mc::reduction::Path& path);
std::string text_of(const mc::verdict::Limits& limits);

}  // namespace rehearse::tests
