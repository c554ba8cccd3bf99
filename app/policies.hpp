// SPDX-License-Identifier: MIT
//
// The policies of --buffering and --collective-synchronisation, and their words in reports.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mc/explore_options.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// The cross product, in a fixed order: the first policy is the one whose executions are counted.
// buffering: all, infinite, zero, eager:BYTES; synchronisation: both, relaxed, synchronising.
Result<std::vector<mc::Policy>> make_policies(const std::string& buffering, const std::string& synchronisation);

// Whether the word is about the synchronisation of collectives, not about their algorithms.
bool is_synchronisation(std::string_view word);

// The inverse of mc::to_text.
Result<mc::Policy> parse_policy(const std::string& text);

// "a standard send waits until it is received, ..." for people.
std::string in_words(const mc::Policy& policy);

// The names without those that a shorter one covers: `zero` includes `zero+synchronising` if both are listed.
std::vector<std::string> without_variants(const std::vector<std::string>& names);

}  // namespace rehearse::app
