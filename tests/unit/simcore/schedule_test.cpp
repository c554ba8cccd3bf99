// SPDX-License-Identifier: MIT
//
// Schedules as text, and back.
#include "simcore/schedule.hpp"

#include <catch2/catch.hpp>

using namespace rehearse;

namespace {

Schedule with_no(std::uint32_t actor, std::initializer_list<std::uint32_t> operations) {
  Schedule schedule;
  for (const std::uint32_t operation : operations) schedule.answers[{{actor}, operation}] = {};
  return schedule;
}

void check(const Schedule& schedule, const std::string& text) {
  CHECK(to_text(schedule) == text);
  auto again = parse_schedule(text);
  REQUIRE(again);
  CHECK(again.value().answers == schedule.answers);
  CHECK(again.value().matches == schedule.matches);
  CHECK(again.value().waits == schedule.waits);
}

}  // namespace

TEST_CASE("schedule: each kind of decision is read as it was written", "[simcore][schedule]") {
  Schedule schedule;
  schedule.matches[{{0}, {3}}] = {{2}, {5}};
  schedule.answers[{{0}, 7}] = {true, {0, 2}, {}};
  schedule.answers[{{1}, 9}] = {true, {}, {{2}, {5}}};
  schedule.answers[{{1}, 10}] = {};
  check(schedule, "0:r3<-2#5;0:o7=yes(0,2);1:o9=saw 2#5;1:o10=no");
  schedule.waits = {{{0}, {4}}, {{2}, {0}}};
  check(schedule, "0:r3<-2#5;0:o7=yes(0,2);1:o9=saw 2#5;1:o10=no;0:w4;2:w0");
}

TEST_CASE("schedule: answers 'no' at equal distances are one decision of the text", "[simcore][schedule]") {
  check(with_no(0, {4, 5}), "0:o4=no;0:o5=no");
  check(with_no(0, {4, 5, 6}), "0:o4-6=no");
  check(with_no(1, {1, 4, 7, 10}), "1:o1-10/3=no");
  check(with_no(0, {0, 4, 5, 6, 7}), "0:o0=no;0:o4-7=no");
  Schedule two = with_no(0, {1, 2});
  two.answers[{{1}, 3}] = {};
  two.answers[{{1}, 4}] = {};
  check(two, "0:o1=no;0:o2=no;1:o3=no;1:o4=no");
  Schedule interrupted = with_no(0, {1, 2, 3, 5, 6, 7});
  interrupted.answers[{{0}, 4}] = {true, {0}, {}};
  check(interrupted, "0:o1-3=no;0:o4=yes(0);0:o5-7=no");
}

TEST_CASE("schedule: text that is no decision is refused with its position", "[simcore][schedule]") {
  const std::string text = GENERATE("0:o3-1=no", "0:o1-4/2=no", "0:o1-5/0=no", "0:o1-5=yes(0)", "0:o1-5/=no",
                                    "0:o0-4294967295=no", "0:o1-3=no;0:o2=no", "0:o1=maybe", "0:r0<+1", "0:w",
                                    "0:w3;0:w3");
  CAPTURE(text);
  auto schedule = parse_schedule(text);
  REQUIRE_FALSE(schedule);
  CHECK(schedule.error().text.find("expected a decision such as") != std::string::npos);
}
