// SPDX-License-Identifier: MIT
//
// What is measured as the application code of actors, and what is taken off.
#include "simcore/application_meter.hpp"

#include <time.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

using namespace rehearse;

namespace {

// Of processor time.
double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Each turn waits for the one before.
void spin(int turns) {
  static volatile std::uint64_t result = 1;
  std::uint64_t x = result;
  for (int turn = 0; turn < turns; ++turn) x = x * x + 3;
  result = x;
}

}  // namespace

TEST_CASE("application code: brief stretches of a library are subtracted, although few of them are measured",
          "[simcore]") {
  constexpr int stretches = 50'000, turns = 100;
  auto meter = std::move(ApplicationMeter::make(ApplicationCost::measured, 0).value());
  double before = now();
  spin(stretches * turns);
  const double own = now() - before;
  int measured = 0;
  meter->go();
  for (int i = 0; i < stretches; ++i) {
    spin(turns);  // the actor's own
    if (meter->measures_brief()) {
      ++measured;
      meter->pause_for_brief();
      spin(turns);
      meter->go_after_brief();
    } else {
      spin(turns);
    }
  }
  meter->pause();
  CHECK(measured < stretches / 50);
  CHECK(meter->take() == Approx(own).epsilon(0.4));
}

TEST_CASE("application code: the cost of counting is subtracted, so that short stretches add up", "[simcore]") {
  // 300 ns each. Where the program lies in memory decides whether the processor predicts all branches around a stretch;
  // if it does not, each stretch counts 15 ns too much in that process. The cost of counting is 60 ns.
  constexpr int stretches = 20'000, turns = 200;
  std::unique_ptr<ApplicationMeter> meter;
  const auto seconds_of = [&meter](int each) {
    meter->go();
    for (int i = 0; i < stretches; ++i) {
      spin(each);
      meter->pause();
      meter->go();
    }
    meter->pause();
    return meter->take();
  };
  const auto in_a_row = [] {
    const double before = now();
    for (int i = 0; i < stretches; ++i) spin(turns);
    return now() - before;
  };
  // The machine may be busy, and change its speed: the round counts in which both were closest. A meter that was
  // calibrated at a busy moment is wrong as long as it lives, so each round has a new one.
  constexpr double most_empty = stretches * 10e-9;
  double error = 1, empty = 1;
  for (int round = 0; round < 200 && (error > 0.05 || empty >= most_empty); ++round) {
    meter = std::move(ApplicationMeter::make(ApplicationCost::measured, 0).value());
    const double before = in_a_row(), counted = seconds_of(turns), behind = in_a_row();
    error = std::min(error, std::abs(counted / std::min(before, behind) - 1));
    empty = std::min(empty, seconds_of(0));
  }
  CHECK(error < 0.1);
  CHECK(empty < most_empty);
}

TEST_CASE("application code: brief stretches within other library code are not measured", "[simcore]") {
  auto meter = std::move(ApplicationMeter::make(ApplicationCost::measured, 0).value());
  meter->go();
  meter->pause();
  meter->take();
  for (int i = 0; i < 200; ++i) CHECK_FALSE(meter->measures_brief());
  CHECK(meter->take() == 0);
}
