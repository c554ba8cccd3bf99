// SPDX-License-Identifier: MIT
//
// What a meter counts too much of the code of an actor between two operations.
//
// Method: a fiber runs short pieces of known length with an operation behind each, as a program does that looks at the
//         clock. What the meter counts above the length is the way back from one operation and into the next: above all
//         returns that the processor cannot predict, because the stack was switched. A piece waits for each of its
//         instructions, so that the way into the next operation runs beside it, as in real code.
// Units:  ticks of the time stamp counter.
// Errors: none. Interrupted pieces do not count, because the result is the median.
#pragma once

#include <cstdint>

#include "simcore/application_meter.hpp"

namespace rehearse::compute {

// Leaves the meter paused, with a count of 0. Calls `at_switch` before each switch to the fiber and after each one
// back.
std::uint64_t resumed_stretch_ticks(ApplicationMeter& meter, void (*at_switch)());

}  // namespace rehearse::compute
