// SPDX-License-Identifier: MIT
//
// Clocks of explored actors move with every operation, and fast for who waits for a date.
#include "mc/history/local_clock.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::history;

TEST_CASE("local clock: an operation takes a microsecond, sleep and computation their duration", "[mc][local_clock]") {
  LocalClock clock;
  clock = after(clock, Send{});
  CHECK(clock.now.picoseconds == 1'000'000);
  clock = after(clock, Sleep{Duration::from_seconds(2)});
  CHECK(clock.now.picoseconds == 2'000'001'000'000);
  clock = after(clock, Compute{3e9});
  CHECK(clock.now.picoseconds == 5'000'001'000'000);
}

TEST_CASE("local clock: consecutive readings double the step, another operation resets it", "[mc][local_clock]") {
  LocalClock clock;
  std::vector<std::int64_t> steps;
  const auto move = [&](const Operation& operation) {
    const std::int64_t before = clock.now.picoseconds;
    clock = after(clock, operation);
    steps.push_back((clock.now.picoseconds - before) / 1'000'000);
  };
  for (int i = 0; i < 5; ++i) move(Clock{});
  move(Log{});
  move(Clock{});
  move(Clock{});
  CHECK(steps == std::vector<std::int64_t>{1, 2, 4, 8, 16, 1, 1, 2});
}

TEST_CASE("local clock: a loop until a date in years ends soon", "[mc][local_clock]") {
  LocalClock clock;
  int readings = 0;
  while (clock.now.seconds() < 3600.0 * 24 * 30) {
    clock = after(clock, Clock{});
    REQUIRE(++readings < 2000);
  }
  CHECK(clock.step.seconds() == 3600);
}

TEST_CASE("local clock: it stands still at the largest date", "[mc][local_clock]") {
  LocalClock clock;
  clock.now.picoseconds = std::numeric_limits<std::int64_t>::max() - 5;
  clock = after(clock, Send{});
  CHECK(clock.now.picoseconds == std::numeric_limits<std::int64_t>::max());
  clock = after(clock, Sleep{Duration::from_seconds(1)});
  CHECK(clock.now.picoseconds == std::numeric_limits<std::int64_t>::max());
}
