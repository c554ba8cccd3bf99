// SPDX-License-Identifier: MIT
//
// What `rehearse grade` answers: for people, as JSON, for JUnit's readers, and for Gradescope.
#pragma once

#include <string>
#include <vector>

#include "cli/grading/trial.hpp"
#include "cli/report/json.hpp"
#include "cli/report/junit.hpp"

namespace rehearse::cli {

struct Grade {
  std::string title;
  std::string name;  // of the exercise's folder
  std::vector<TrialResult> results;

  bool passed() const;
  double points() const;
  double points_max() const;
};

std::string text_of(const Grade& grade);
std::string total_of(const std::vector<Grade>& grades);
Json to_json(const std::vector<Grade>& grades);
std::vector<JUnitSuite> junit_suites(const std::vector<Grade>& grades);

// results.json of Gradescope's autograders.
Json gradescope_results(const std::vector<Grade>& grades);

}  // namespace rehearse::cli
