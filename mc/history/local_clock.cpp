// SPDX-License-Identifier: MIT
//
// The step of the clock for each operation.
#include "mc/history/local_clock.hpp"

#include <algorithm>
#include <limits>

namespace rehearse::mc::history {

namespace {

constexpr Duration step_of_an_operation{1'000'000};  // 1 us
constexpr std::int64_t longest_clock_step = 3'600'000'000'000'000;

}  // namespace

LocalClock after(const LocalClock& clock, const Operation& operation) {
  LocalClock next;
  next.step = step_of_an_operation;
  if (const auto* sleep = std::get_if<Sleep>(&operation)) next.step = sleep->duration;
  if (const auto* compute = std::get_if<Compute>(&operation)) next.step = Duration::from_seconds(compute->flops * 1e-9);
  if (std::holds_alternative<Clock>(operation)) {
    next.readings = clock.readings == 0 ? 1 : 2;
    if (next.readings == 2) next.step = {std::min<std::int64_t>(clock.step.picoseconds * 2, longest_clock_step)};
  }
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();  // a clock that reaches it stands still
  next.now.picoseconds =
      clock.now.picoseconds > last - next.step.picoseconds ? last : clock.now.picoseconds + next.step.picoseconds;
  return next;
}

}  // namespace rehearse::mc::history
