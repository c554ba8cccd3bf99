// SPDX-License-Identifier: MIT
//
// The clock that an actor reads in an exploration: a function of its local history.
#pragma once

#include <cstdint>

#include "simcore/operation.hpp"
#include "simcore/time.hpp"

namespace rehearse::mc::history {

struct LocalClock {
  TimePoint now;
  Duration step;              // of the last operation
  std::uint8_t readings = 0;  // consecutive last operations that read the clock: 0, 1, or 2 for more
};

// The clock after the operation; `clock` is that before it. It moves with every operation. Consecutive readings double
// the step, so that a loop that waits for a date ends soon.
LocalClock after(const LocalClock& clock, const Operation& operation);

}  // namespace rehearse::mc::history
