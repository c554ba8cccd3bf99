// SPDX-License-Identifier: MIT
//
// See pacing.hpp.
#include "app/attach/pacing.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse::app {
namespace {

constexpr double picoseconds_per_nanosecond = 1000;

}  // namespace

TimePoint Pacing::simulated(std::int64_t now_ns) const {
  if (now_ns <= base_ns_) return {};
  return {static_cast<std::int64_t>(static_cast<double>(now_ns - base_ns_) * picoseconds_per_nanosecond / factor_)};
}

std::int64_t Pacing::due_ns(TimePoint date) const {
  const double after_ns = static_cast<double>(date.picoseconds) * factor_ / picoseconds_per_nanosecond;
  std::int64_t due = base_ns_ + static_cast<std::int64_t>(std::ceil(after_ns));
  while (simulated(due) < date) ++due;  // the last digit of floating point
  return due;
}

Duration Pacing::behind(TimePoint date, std::int64_t now_ns) const {
  return std::max(simulated(now_ns) - date, Duration{});
}

void LagMeter::note(Duration behind) {
  ++events_;
  sum_ps_ += static_cast<double>(behind.picoseconds);
  max_ = std::max(max_, behind);
  if (limit_ && behind > *limit_) ++late_;
}

Duration LagMeter::mean_behind() const {
  return {events_ == 0 ? 0 : static_cast<std::int64_t>(sum_ps_ / static_cast<double>(events_))};
}

std::optional<double> LagMeter::proposed_factor(double present) const {
  if (!is_too_late() || limit_->picoseconds == 0) return std::nullopt;
  const double needed = present * static_cast<double>(max_.picoseconds) / static_cast<double>(limit_->picoseconds);
  const double digit = std::pow(10, std::floor(std::log10(needed)) - 1);
  return std::ceil(needed / digit - 1e-9) * digit;
}

}  // namespace rehearse::app
