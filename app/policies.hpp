// SPDX-License-Identifier: MIT
//
// The policies of --buffering and --collective-synchronisation, and words for policies in reports.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simcore/policy.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// The cross product, in a fixed order: the first policy is the one whose executions are counted.
// buffering: all, infinite, zero, eager:BYTES, mixed (includes infinite and zero).
// synchronisation: both, relaxed, synchronising.
Result<std::vector<Policy>> make_policies(const std::string& buffering, const std::string& synchronisation);

// Whether the word is about the synchronisation of collectives, not about their algorithms.
bool is_synchronisation(std::string_view word);

// "a standard send waits until it is received, ..." for people.
std::string in_words(const Policy& policy);

// The policies without those that another covers: `zero` includes `zero+synchronising` if both are listed.
std::vector<Policy> without_variants(const std::vector<Policy>& policies);

// Their texts (simcore/policy.hpp).
std::vector<std::string> names_of(const std::vector<Policy>& policies);

}  // namespace rehearse::app
