// SPDX-License-Identifier: MIT
//
// A litmus program explored in one part, or in many parts that share only a Path. This simulates several exploring
// processes in one process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rehearse::tests {

struct Visits {
  std::vector<std::string> executions;  // the observations of each actor, in the order of the exploration
  std::uint64_t events = 0;
  std::uint32_t parts = 1;
};

Visits in_one_part(const std::string& text);

// Donates all work that can be donated after every execution.
Visits in_smallest_parts(const std::string& text);

// At random points (also within an execution), a part donates its remaining work to another part, or another part
// continues it.
Visits in_parts_by_chance(const std::string& text, std::uint64_t seed);

}  // namespace rehearse::tests
