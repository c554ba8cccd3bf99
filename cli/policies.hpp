// SPDX-License-Identifier: MIT
//
// The policies that --buffering and --collectives stand for, and their words in reports.
#pragma once

#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

// The cross product, in a fixed order: the first policy is the one whose executions are counted.
// buffering: all, infinite, zero, eager:BYTES; collectives: both, relaxed, synchronising.
Result<std::vector<mc::Policy>> make_policies(const std::string& buffering, const std::string& collectives);

// The inverse of mc::to_text.
Result<mc::Policy> parse_policy(const std::string& text);

// "sends are never buffered, ..." for people.
std::string in_words(const mc::Policy& policy);

}  // namespace rehearse::cli
