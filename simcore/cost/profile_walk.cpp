// SPDX-License-Identifier: MIT
//
// The walk through the points of a profile.
#include "simcore/cost/profile_walk.hpp"

#include <algorithm>
#include <limits>

namespace rehearse::cost {

namespace {

constexpr double horizon_seconds = 9.2e6;  // just below the greatest date

}  // namespace

double seconds_at(TimePoint date) {
  const double seconds = date.seconds();
  return seconds + std::max(0.6e-12, seconds * 4e-16);
}

TimePoint date_of(double seconds) {
  if (!(seconds < horizon_seconds)) return {std::numeric_limits<std::int64_t>::max()};
  return TimePoint{} + Duration::from_seconds(seconds);
}

ProfileWalk::ProfileWalk(const Profile& profile, double before, std::uint64_t seed)
    : profile_(profile), before_(before), value_(before) {
  if (profile.is_stochastic()) cursor_.emplace(profile, seed);
}

double ProfileWalk::value(TimePoint now) {
  if (!cursor_) return profile_.value_at(seconds_at(now), before_);
  while (cursor_->next_date() <= seconds_at(now)) {
    value_ = cursor_->next_value();
    cursor_->pop();
  }
  return value_;
}

TimePoint ProfileWalk::next_date(TimePoint now) {
  if (!cursor_) return date_of(profile_.next_change(seconds_at(now)));
  value(now);
  return date_of(cursor_->next_date());
}

}  // namespace rehearse::cost
