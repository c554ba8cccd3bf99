// SPDX-License-Identifier: MIT
//
// Litmus programs some of whose sends become buffered ones, for comparisons of what the library may buffer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rehearse::tests {

// The instructions of each actor.
std::vector<std::vector<std::string>> instructions_of(const std::string& litmus);

// Whether the library may buffer what this instruction sends, or not.
bool is_standard_send(const std::string& instruction);

// The same program, but standard sends for which `is_chosen` says so are buffered ones. It is asked about each.
std::string with_buffered(const std::string& litmus, const std::function<bool(const std::string&)>& is_chosen);

// A random program that sends more than others do. `polls`: it may also poll and probe.
std::string random_sends(std::uint64_t seed, bool polls);

}  // namespace rehearse::tests
