// SPDX-License-Identifier: MIT
//
// A litmus program explored in one part, or in many that know nothing of each other but a Path: what processes do that
// explore together, without the processes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rehearse::tests {

struct Visits {
  std::vector<std::string> executions;  // what each actor observed, in the order of the exploration
  std::uint64_t events = 0;
  std::uint32_t parts = 1;
};

Visits in_one_part(const std::string& text);

// After every execution all that can be given away is.
Visits in_smallest_parts(const std::string& text);

// By chance a part leaves its rest to another one, or is left in the middle (also of an execution) and taken up again
// by another one.
Visits in_parts_by_chance(const std::string& text, std::uint64_t seed);

}  // namespace rehearse::tests
