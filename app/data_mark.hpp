// SPDX-License-Identifier: MIT
//
// The mark of runs whose data mean nothing, because code did not run (sampling) or ranks shared memory (folding).
#pragma once

#include <cstdint>
#include <string>

namespace rehearse::app {

struct DataMark {
  std::uint64_t left_out = 0;  // executions of sampled code that did not run
  bool is_folded = false;      // ranks shared memory whose values do not matter

  bool is_needed() const { return left_out > 0 || is_folded; }
  // "not computed", "folded", or both; the words of all reports.
  std::string words() const;
  // "3 executions of sampled code did not run", "ranks shared memory", or both.
  std::string reason() const;
};

}  // namespace rehearse::app
