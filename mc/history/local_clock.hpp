// SPDX-License-Identifier: MIT
//
// The clock of an actor while it is explored: a function of its history.
#pragma once

#include <cstdint>

#include "simcore/operation.hpp"
#include "simcore/time.hpp"

namespace rehearse::mc::history {

struct LocalClock {
  TimePoint now;
  Duration step;              // how far it moved last
  std::uint8_t readings = 0;  // the last operations were: 0: others, 1: one reading of it, 2: several
};

// It moves with every operation; reading it again and again makes it move faster and faster, so that a loop until a
// date ends soon. `clock`: before the operation.
LocalClock after(const LocalClock& clock, const Operation& operation);

}  // namespace rehearse::mc::history
