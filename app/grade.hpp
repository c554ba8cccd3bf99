// SPDX-License-Identifier: MIT
//
// Grading: compiles, checks and runs a submission, and compares the results with an exercise.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/exercise.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct TrialResult {
  std::string name;
  bool passed = false;
  double points = 0, points_max = 0;
  std::string tried;     // the command that the student can run
  std::string expected;  // in words
  std::string happened;  // in a line
  std::string details;   // lines; may be empty
  std::string hint;      // of the teacher, if the check failed; may be empty
  double seconds = 0;    // wall-clock time on this machine
};

struct Grade {
  std::string title;
  std::string name;  // of the exercise's folder
  std::vector<TrialResult> results;

  bool passed() const;
  double points() const;
  double points_max() const;
};

// The exercise in this folder, or those directly below it, by name.
Result<std::vector<Exercise>> read_exercises(const std::filesystem::path& folder);

// The last word of the folder's path.
std::string name_of(const std::filesystem::path& folder);

// The grade of one submission. `reveal`: also the parts that are hidden from students.
Result<Grade> grade(const Exercise& exercise, const std::filesystem::path& submission, bool reveal);

// Grades of several exercises, by name of the exercise.
// folder:      an exercise, or a folder that contains folders of exercises.
// submissions: for one exercise, the folder of its submission; for several, a folder that contains one for each, with
//              the name of the exercise's folder. Empty: `folder`.
// graded:      called with each grade as soon as it is known, during grade_all() only. Empty: not called.
Result<std::vector<Grade>> grade_all(const std::filesystem::path& folder, const std::filesystem::path& submissions,
                                     bool reveal, const std::function<void(const Grade&)>& graded = {});

}  // namespace rehearse::app
