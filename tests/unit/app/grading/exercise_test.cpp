// SPDX-License-Identifier: MIT
//
// Exercises in the form in which teachers write them: their values, and errors with their places.
#include "app/exercise.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

namespace rehearse::app {
namespace {

// An exercise of this text in a folder that is removed.
Result<Exercise> exercise_of(const std::string& text) {
  std::string folder = (std::filesystem::temp_directory_path() / "rehearse-exercise-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  std::ofstream(std::filesystem::path(folder) / specification_name) << text;
  auto exercise = read_exercise(folder);
  std::filesystem::remove_all(folder);
  return exercise;
}

std::string fault_in(const std::string& text) {
  const auto exercise = exercise_of(text);
  REQUIRE_FALSE(exercise);
  return exercise.error().text;
}

std::string with_checks(const std::string& checks) {
  return R"({"exercise": "Ring", "sources": ["ring.c"], "checks": [)" + checks + "]}";
}

bool mentions(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("exercise: checks and runs become trials with the options of the verbs") {
  const auto read = exercise_of(with_checks(
      R"({"name": "all ends well", "points": 3, "check": {"ranks": 3, "verdict": "violation", "finding": "deadlock",
          "buffering": "zero", "polls": 2}},
         {"name": "it is fast", "hidden": true, "run": {"ranks": 4, "arguments": ["-v"], "seconds_max": 2,
          "output": {"lines": ["done"]}}})"));
  REQUIRE(read);
  const Exercise& exercise = read.value();
  CHECK(exercise.title == "Ring");
  REQUIRE(exercise.trials.size() == 2);
  CHECK(exercise.trials[0].points == 3);
  CHECK(exercise.trials[0].ranks == 3);
  const auto& check = std::get<Exploration>(exercise.trials[0].what);
  CHECK(check.verdict == Exploration::Verdict::violation);
  CHECK(check.finding == "deadlock");
  CHECK(check.options == std::vector<std::string>{"--buffering", "zero", "--polls", "2"});
  CHECK(exercise.trials[1].hidden);
  CHECK(exercise.trials[1].arguments == std::vector<std::string>{"-v"});
  const auto& run = std::get<TimedTask>(exercise.trials[1].what);
  CHECK(run.seconds_max == 2.);
  REQUIRE(run.output);
  CHECK(run.output->lines == std::vector<std::string>{"done"});
  CHECK(run.options == std::vector<std::string>{"--compute", "none"});
}

TEST_CASE("exercise: an error names its place and the accepted values") {
  CHECK(mentions(fault_in("no JSON"), "not JSON"));
  CHECK(mentions(fault_in(with_checks(R"({"name": "a", "check": {"ranks": 0}})")), "checks[0].check.ranks"));
  CHECK(mentions(fault_in(with_checks(R"({"name": "a"})")), "either 'check' or 'run'"));
  CHECK(mentions(fault_in(with_checks(R"({"name": "a", "check": {"ranks": 2, "verdct": "verified"}})")), "verdct"));
  CHECK(mentions(fault_in(with_checks(R"({"name": "a", "check": {"ranks": 2, "finding": "deadlock"}})")),
                 "a finding belongs to a violation"));
  const std::string one = R"({"name": "a", "check": {"ranks": 2}})";
  CHECK(mentions(fault_in(with_checks(one + "," + one)), "another check has the same name"));
  CHECK(
      mentions(fault_in(with_checks(R"({"name": "a", "run": {"ranks": 2, "reference_times_max": 2}})")), "reference"));
}

TEST_CASE("exercise: files do not lead out of the folder") {
  for (const char* file : {"../ring.c", "/etc/passwd", "a/../../ring.c"}) {
    INFO(file);
    CHECK(mentions(fault_in(std::string(R"({"exercise": "Ring", "sources": [")") + file +
                            R"("], "checks": [{"name": "a", "check": {"ranks": 2}}]})"),
                   "sources"));
  }
}

TEST_CASE("exercise: a folder without a specification is an error with its file") {
  const auto read = read_exercise("/nowhere");
  REQUIRE_FALSE(read);
  CHECK(mentions(read.error().text, "/nowhere/exercise.json"));
}

}  // namespace rehearse::app
