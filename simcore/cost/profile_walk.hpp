// SPDX-License-Identifier: MIT
//
// The value of a profile at the present date, and the date of its next change, in simulated time.
//
// Cost:    for a trace, one search for any number of points; for laws of chance, one step per point.
// Dates:   those of one walk never go back. A point within a picosecond of a date counts as reached.
// Threads: none.
#pragma once

#include <optional>

#include "simcore/profile.hpp"
#include "simcore/time.hpp"

namespace rehearse::cost {

class ProfileWalk {
 public:
  // `before`: the value before the first point.
  ProfileWalk(const Profile& profile, double before, std::uint64_t seed);

  double value(TimePoint now);
  // The date of the next change after `now`; far beyond the range of simulated time if there is none.
  TimePoint next_date(TimePoint now);

  bool is_stochastic() const { return cursor_.has_value(); }

 private:
  const Profile& profile_;
  double before_;
  double value_;
  std::optional<ProfileCursor> cursor_;  // of laws of chance
};

// Seconds that lie a little behind the date, so that rounding to picoseconds does not undo a change.
double seconds_at(TimePoint date);

// Rounded; the greatest date if the date is beyond the range of simulated time.
TimePoint date_of(double seconds);

}  // namespace rehearse::cost
