// SPDX-License-Identifier: MIT
//
// Clocks by which work may advance instead of time, for instance the integral of a speed profile.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <limits>

#include "simcore/time.hpp"

namespace rehearse::sharing {

inline constexpr TimePoint never{std::numeric_limits<std::int64_t>::max()};

// Between the dates t1 and t2, work at rate x advances by x * (integral(t2) - integral(t1)).
class WorkClock {
 public:
  virtual ~WorkClock() = default;
  virtual double integral(TimePoint date) const = 0;  // seconds; never decreases
  // The first date at which the integral has this value; `never` if it does not reach it.
  virtual TimePoint inverse(double integral) const = 0;
};

inline constexpr std::uint32_t plain_time = ~0u;  // no WorkClock

// The date `seconds` after now; `never` if that is beyond half the range of simulated time.
inline TimePoint date_after(TimePoint now, double seconds) {
  constexpr double horizon_seconds = 4.6e6;
  if (seconds <= 0) return now;
  return seconds < horizon_seconds ? now + Duration::from_seconds(seconds) : never;
}

}  // namespace rehearse::sharing
