// SPDX-License-Identifier: MIT
//
// Work may advance by another clock than time, for instance by the integral of a speed profile.
//
// Threads: none.
#pragma once

#include <cstdint>
#include <limits>

#include "simcore/time.hpp"

namespace rehearse::sharing {

inline constexpr TimePoint never{std::numeric_limits<std::int64_t>::max()};

// Something at rate x does x * (integral(t2) - integral(t1)) between two dates.
class WorkClock {
 public:
  virtual ~WorkClock() = default;
  virtual double integral(TimePoint date) const = 0;  // seconds; never falls
  // The first date at which the integral has this value; `never` if it never has.
  virtual TimePoint inverse(double integral) const = 0;
};

inline constexpr std::uint32_t plain_time = ~0u;  // no WorkClock

// When `seconds` from now are over; `never` if that is beyond half the range of simulated time.
inline TimePoint date_after(TimePoint now, double seconds) {
  constexpr double horizon_seconds = 4.6e6;
  if (seconds <= 0) return now;
  return seconds < horizon_seconds ? now + Duration::from_seconds(seconds) : never;
}

}  // namespace rehearse::sharing
