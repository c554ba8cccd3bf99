// SPDX-License-Identifier: MIT
//
// The simulated times in a report of `run` or `trace replay` (--json), of one run or of repeated ones.
//
// Units:  seconds.
// Errors: the file, the place in it, and the accepted form.
#pragma once

#include <cstdint>
#include <string>

#include "app/time_comparison.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct ReportedTimes {
  std::string file;
  std::string platform;  // empty: the report has none
  std::string network;   // likewise
  std::uint64_t ranks = 0;
  SeededTimes times;            // without seeds: a run that was not repeated
  std::uint64_t requested = 1;  // runs; more than there are times: the repetition ended early
  std::uint64_t disturbed = 0;  // runs whose measured computation was disturbed
};

Result<ReportedTimes> read_reported_times(const std::string& file);

}  // namespace rehearse::app
