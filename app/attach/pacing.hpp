// SPDX-License-Identifier: MIT
//
// Simulated time beside the clock of the machine: the date t is due at base + factor * t. The lag of events behind it.
//
// Units:   nanoseconds of the machine's clock (CLOCK_MONOTONIC); simulated dates since `base`.
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>

#include "simcore/time.hpp"

namespace rehearse::app {

class Pacing {
 public:
  // Requires factor > 0.
  Pacing(double factor, std::int64_t base_ns) : factor_(factor), base_ns_(base_ns) {}

  double factor() const { return factor_; }
  // The latest date that is due.
  TimePoint simulated(std::int64_t now_ns) const;
  // The first moment at which the date is due; simulated(due_ns(t)) >= t.
  std::int64_t due_ns(TimePoint date) const;
  // Simulated time since the date was due; 0 if it is not due yet.
  Duration behind(TimePoint date, std::int64_t now_ns) const;

 private:
  double factor_;
  std::int64_t base_ns_;
};

// How late events were.
class LagMeter {
 public:
  // `limit`: lags above it are counted.
  explicit LagMeter(std::optional<Duration> limit) : limit_(limit) {}

  void note(Duration behind);
  Duration max_behind() const { return max_; }
  Duration mean_behind() const;
  std::uint64_t events() const { return events_; }
  std::uint64_t late_events() const { return late_; }  // beyond the limit
  std::optional<Duration> limit() const { return limit_; }
  bool is_too_late() const { return limit_ && max_ > *limit_; }
  // The factor with which the same delay of the machine would be within the limit; two digits, rounded up. No value:
  // the present one will do.
  std::optional<double> proposed_factor(double present) const;

 private:
  std::optional<Duration> limit_;
  Duration max_;
  double sum_ps_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t late_ = 0;
};

}  // namespace rehearse::app
