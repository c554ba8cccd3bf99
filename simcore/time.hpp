// SPDX-License-Identifier: MIT
//
// Simulated time: an integer number of picoseconds since the start of the run.
//
// Units: picoseconds; seconds only in parsing, printing and cost models.
// Range: +-106 days.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

namespace rehearse {

// As std::llround, but inline, because a call costs more than the rounding.
inline std::int64_t rounded(double value) {
  if (!(std::fabs(value) < 9e18)) return std::llround(value);
  const auto whole = static_cast<std::int64_t>(value);
  const double rest = value - static_cast<double>(whole);  // exact
  return whole + (rest >= 0.5) - (rest <= -0.5);
}

struct Duration {
  std::int64_t picoseconds = 0;
  auto operator<=>(const Duration&) const = default;
  constexpr double seconds() const { return static_cast<double>(picoseconds) * 1e-12; }
  static Duration from_seconds(double s) { return {rounded(s * 1e12)}; }
  friend constexpr Duration operator+(Duration a, Duration b) { return {a.picoseconds + b.picoseconds}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.picoseconds - b.picoseconds}; }
};

struct TimePoint {
  std::int64_t picoseconds = 0;
  auto operator<=>(const TimePoint&) const = default;
  constexpr double seconds() const { return static_cast<double>(picoseconds) * 1e-12; }
  friend constexpr TimePoint operator+(TimePoint t, Duration d) { return {t.picoseconds + d.picoseconds}; }
  friend constexpr Duration operator-(TimePoint a, TimePoint b) { return {a.picoseconds - b.picoseconds}; }
};

}  // namespace rehearse
