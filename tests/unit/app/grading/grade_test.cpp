// SPDX-License-Identifier: MIT
//
// Sums of a grade, names of exercises, and what helps to report a submission.
#include "app/grade.hpp"

#include <catch2/catch.hpp>

#include "app/grading/build.hpp"

namespace rehearse::app {

TEST_CASE("grade: points are summed up, and all has passed only if each trial has") {
  Grade grade;
  CHECK(grade.passed());
  grade.results.resize(2);
  grade.results[0].passed = true;
  grade.results[0].points = grade.results[0].points_max = 2;
  grade.results[1].points_max = 3;
  CHECK_FALSE(grade.passed());
  CHECK(grade.points() == 2);
  CHECK(grade.points_max() == 5);
  grade.results[1].passed = true;
  CHECK(grade.passed());
}

TEST_CASE("grade: the name of an exercise is the last word of its folder") {
  CHECK(name_of("/exercises/1_ring") == "1_ring");
  CHECK(name_of("/exercises/1_ring/") == "1_ring");
  CHECK(name_of("/exercises/1_ring/../2_sum") == "2_sum");
}

TEST_CASE("grade: a folder without exercises is an error with its name") {
  const auto exercises = read_exercises("/nowhere/exercises");
  REQUIRE_FALSE(exercises);
  CHECK(exercises.error().text.starts_with("grade: /nowhere/exercises: "));
}

TEST_CASE("grade: of long texts the first lines are shown, and how many more there are") {
  CHECK(first_lines("a\nb\n", 2) == "a\nb\n");
  CHECK(first_lines("a\nb\nc\nd\n", 2) == "a\nb\n(2 more lines)\n");
  CHECK(first_lines("a", 2) == "a");
  CHECK(first_lines("", 2).empty());
}

TEST_CASE("grade: bounds of processes are the limits of the exercise") {
  Limits limits;
  limits.seconds = 3;
  limits.output_bytes = 17;
  const Bounds bounds = bounds_of(limits);
  CHECK(bounds.seconds == 3);
  CHECK(bounds.output_bytes == 17);
  CHECK(bounds.memory_bytes == limits.memory_bytes);
}

TEST_CASE("grade: how a process ended is in words, an exit is none of them") {
  const Bounds bounds;
  ProcessEnd end;
  end.status = 3;
  CHECK(trouble_of(end, bounds).empty());
  using How = ProcessEnd::How;
  for (const How how : {How::signalled, How::out_of_time, How::out_of_memory, How::too_much_output}) {
    end.how = how;
    CHECK_FALSE(trouble_of(end, bounds).empty());
  }
}

}  // namespace rehearse::app
