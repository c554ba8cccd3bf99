// SPDX-License-Identifier: MIT
//
// Sums of a grade, names of exercises, several exercises at once, and helpers of the report on a submission.
#include "app/grade.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "app/grading/build.hpp"

namespace rehearse::app {
namespace {

namespace fs = std::filesystem;

// An exercise whose source no submission of these tests has: nothing is compiled.
void add_exercise(const fs::path& folder, const std::string& title) {
  fs::create_directories(folder);
  std::ofstream(folder / specification_name)
      << R"({"exercise": ")" << title
      << R"(", "sources": ["missing.c"], "checks": [{"name": "c", "check": {"ranks": 2}}]})";
}

}  // namespace

TEST_CASE("grade: points are added, and a grade has passed only if each trial has") {
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

TEST_CASE("grade: several exercises are graded by name, and each grade is passed on as soon as it is known") {
  const WorkFolder work = std::move(WorkFolder::make().value());
  add_exercise(work.path() / "exercises/2_sum", "Sum");
  add_exercise(work.path() / "exercises/1_ring", "Ring");
  fs::create_directories(work.path() / "of a student");
  std::vector<std::string> passed_on;
  const auto grades = grade_all(work.path() / "exercises", work.path() / "of a student", false,
                                [&](const Grade& grade) { passed_on.push_back(grade.title); });
  REQUIRE(grades);
  REQUIRE(grades.value().size() == 2);
  CHECK(grades.value()[0].name == "1_ring");
  CHECK(grades.value()[1].name == "2_sum");
  CHECK(grades.value()[0].results.size() == 2);  // compilation and one check
  CHECK_FALSE(grades.value()[0].passed());
  CHECK(passed_on == std::vector<std::string>{"Ring", "Sum"});
}

TEST_CASE("grade: for one exercise the folder of submissions is the submission") {
  const WorkFolder work = std::move(WorkFolder::make().value());
  add_exercise(work.path(), "Ring");
  const auto grades = grade_all(work.path(), {}, false);  // no folder of submissions: that of the exercise
  REQUIRE(grades);
  REQUIRE(grades.value().size() == 1);
  CHECK(grades.value()[0].title == "Ring");
  CHECK(grades.value()[0].results[0].details == "there is no file missing.c\n");
}

TEST_CASE("grade: a missing folder of submissions is an error with its name, before anything is graded") {
  const WorkFolder work = std::move(WorkFolder::make().value());
  add_exercise(work.path(), "Ring");
  bool is_called = false;
  const auto grades = grade_all(work.path(), "/nowhere/submissions", false, [&](const Grade&) { is_called = true; });
  REQUIRE_FALSE(grades);
  CHECK(grades.error().text == "grade: --submission: /nowhere/submissions is not a folder");
  CHECK_FALSE(is_called);
}

TEST_CASE("grade: of a long text the first lines are shown, with the number of further ones") {
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

TEST_CASE("grade: the end of a process is in words, and an exit needs none") {
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
