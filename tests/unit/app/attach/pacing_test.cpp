// SPDX-License-Identifier: MIT
//
// Simulated dates beside a real clock, and the lag of events.
#include "app/attach/pacing.hpp"

#include <catch2/catch.hpp>

namespace rehearse::app {

TEST_CASE("pacing: a date is due factor times later, and not before") {
  for (const double factor : {1.0, 1.5, 10.0, 3.7, 128.0}) {
    const Pacing pacing(factor, 1'000'000);
    CHECK(pacing.simulated(1'000'000).picoseconds == 0);
    CHECK(pacing.simulated(5) == TimePoint{});
    for (const std::int64_t date_ps : std::initializer_list<std::int64_t>{1, 999, 1000, 123'456'789, 40'000'000'000}) {
      INFO(factor << ", " << date_ps);
      const TimePoint date{date_ps};
      const std::int64_t due = pacing.due_ns(date);
      CHECK(pacing.simulated(due) >= date);
      CHECK(pacing.simulated(due - 2) < date);
      CHECK(static_cast<double>(due - 1'000'000) == Approx(static_cast<double>(date_ps) * factor / 1000).margin(1.5));
    }
  }
}

TEST_CASE("pacing: lag is in simulated time, and never negative") {
  const Pacing pacing(10, 0);
  CHECK(pacing.behind(TimePoint{1'000'000}, 10'000) == Duration{0});
  CHECK(pacing.behind(TimePoint{1'000'000}, 30'000) == Duration{2'000'000});
  CHECK(pacing.behind(TimePoint{1'000'000}, 5'000) == Duration{0});
}

TEST_CASE("lag: the proposed factor brings the same delay of the machine within the limit") {
  LagMeter lag(Duration{5'000'000});
  lag.note(Duration{1'000'000});
  CHECK_FALSE(lag.is_too_late());
  CHECK_FALSE(lag.proposed_factor(2));
  lag.note(Duration{61'000'000});
  lag.note(Duration{4'000'000});
  CHECK(lag.max_behind() == Duration{61'000'000});
  CHECK(lag.mean_behind() == Duration{22'000'000});
  CHECK(lag.late_events() == 1);
  CHECK(lag.events() == 3);
  REQUIRE(lag.proposed_factor(2));
  CHECK(*lag.proposed_factor(2) == Approx(25));    // 24.4
  CHECK(*lag.proposed_factor(10) == Approx(130));  // 122
  CHECK(*lag.proposed_factor(10) * 5 >= 10 * 61);
}

TEST_CASE("lag: without a limit, nothing is too late") {
  LagMeter lag(std::nullopt);
  lag.note(Duration{1'000'000'000});
  CHECK_FALSE(lag.is_too_late());
  CHECK_FALSE(lag.proposed_factor(1));
  CHECK(lag.late_events() == 0);
}

}  // namespace rehearse::app
