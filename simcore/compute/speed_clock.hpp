// SPDX-License-Identifier: MIT
//
// A host's speed profile as a clock by which its work advances. However often the speed changes between two events, the
// cost is one search.
//
// Meaning: the integral of the profile's factor from the start of the run. A change within a picosecond
//          of a date counts as reached.
// Threads: none.
#pragma once

#include <memory>
#include <vector>

#include "simcore/profile.hpp"
#include "simcore/sharing/fluid.hpp"

namespace rehearse::compute {

class SpeedClock : public sharing::WorkClock {
 public:
  virtual double factor(TimePoint now) const = 0;
  virtual TimePoint next_change(TimePoint now) const = 0;  // after now, or `never`
  // The caller will not ask for dates before this one again.
  virtual void forget(TimePoint /*before*/) {}
};

// The profile must outlive the clock. The seed is for random profiles.
std::unique_ptr<SpeedClock> make_speed_clock(const Profile& profile, std::uint64_t seed);

}  // namespace rehearse::compute
