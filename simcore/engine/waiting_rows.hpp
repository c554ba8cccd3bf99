// SPDX-License-Identifier: MIT
//
// Rows of similar operations by which an actor waits: polls without success, or clock reads.
#pragma once

#include <cstdint>
#include <optional>

#include "simcore/ids.hpp"
#include "simcore/time.hpp"

namespace rehearse::engine {

// The polls of one actor that were answered no since it last did anything else.
struct PollRow {
  std::uint32_t length = 0;
  TimePoint began;                // date of the first one
  std::uint32_t free_rounds = 0;  // repetitions of the same polls at one date
  std::uint32_t since_wait = 0;   // polls at this date
  std::uint64_t mark = 0;         // hash of one of those: a second one ends a round
  bool asks_clock = false;        // the actor reads the clock, so it may have a deadline
};

// Clock reads of one actor with no other operation between them.
struct ClockRow {
  static constexpr double idle_seconds = 4e-8;  // up to this, code before a read is only the loop

  std::uint32_t length = 0;
  std::uint32_t busy_looks = 0;        // with more application code before them
  std::uint32_t next = 0;              // number of the operation that continues the row
  double application_seconds = 0;      // of application code between the reads
  TimePoint began;                     // date of the first read
  std::optional<std::uint64_t> calls;  // call chain of the last read; only of long rows
};

}  // namespace rehearse::engine
