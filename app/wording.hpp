// SPDX-License-Identifier: MIT
//
// Words and numbers in text reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/time.hpp"

namespace rehearse::app {

std::string with_commas(std::uint64_t number);                     // 1,234,567
std::string counted(std::uint64_t number, std::string_view noun);  // 1 execution, 2 executions
std::string list_of(const std::vector<std::string>& words);        // a, b and c
std::string place_of(const Location& location);                    // ring.c:41 in main; empty: unknown
// The advice if a function is missing for one of these reasons; empty otherwise.
std::string advice_on(const std::vector<std::string>& reasons, const std::string& program);
std::string in_seconds(TimePoint time);  // 0.001234567 s, exact to the nanosecond

// The text in lines of at most `columns` columns, unless a word is longer. All lines but the first begin with `indent`.
std::string wrapped(std::string_view text, std::size_t columns, std::string_view indent);

// The full text of a finding: message, places of ranks, policies, advice.
std::string describe(const Finding& finding);

}  // namespace rehearse::app
