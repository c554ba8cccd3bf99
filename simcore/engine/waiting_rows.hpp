// SPDX-License-Identifier: MIT
//
// Rows of equal operations by which an actor waits without saying so: polls without success, reads the clock.
#pragma once

#include <cstdint>
#include <optional>

#include "simcore/ids.hpp"
#include "simcore/time.hpp"

namespace rehearse::engine {

// The polls of one actor that were answered no since it last did anything else.
struct PollRow {
  std::uint32_t length = 0;
  TimePoint began;                // with the first of them
  std::uint32_t free_rounds = 0;  // how often they began again from the start, and time stood still
  std::uint32_t since_wait = 0;   // polls at this date
  std::uint64_t mark = 0;         // one of those: when it comes again, all have come
  bool asks_clock = false;        // between them, so there may be a deadline
};

// Looks of one actor at the clock with nothing between them.
struct ClockRow {
  static constexpr double idle_seconds = 4e-8;  // of application code before a look: nothing but the loop

  std::uint32_t length = 0;
  std::uint32_t busy_looks = 0;        // before which the actor did more than that
  std::uint32_t next = 0;              // number of the operation by which it continues
  double application_seconds = 0;      // of the application code between them
  TimePoint began;                     // with the first of them
  std::optional<std::uint64_t> calls;  // from where the last one came; only of long rows
};

}  // namespace rehearse::engine
