// SPDX-License-Identifier: MIT
//
// Grades in four forms.
// Source: Gradescope's documentation of autograder specifications (results.json).
#include "app/cli/report/grade_report.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "app/version.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t columns = 100;  // of hints

std::string points_of(double points, double maximum) {
  char text[96];
  std::snprintf(text, sizeof text, "%g of %g", points, maximum);
  return std::string(text) + (maximum == 1 ? " point" : " points");
}

std::string indented(const std::string& text, const std::string& by) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += by + line + "\n";
  return result;
}

// The explanation of a result for a student who did not pass.
std::string account_of(const app::TrialResult& result) {
  std::string text = "tried:    " + result.tried + "\nexpected: " + result.expected + "\nhappened: " + result.happened +
                     "\n";
  text += indented(result.details, "    ");
  if (!result.hint.empty()) text += "hint:     " + app::wrapped(result.hint, columns, "          ") + "\n";
  return text;
}

double sum(const std::vector<app::Grade>& grades, double (app::Grade::*points)() const) {
  double total = 0;
  for (const app::Grade& grade : grades) total += (grade.*points)();
  return total;
}

app::Json to_json(const app::TrialResult& result) {
  return {{"name", result.name},         {"passed", result.passed},
          {"points", result.points},     {"points_max", result.points_max},
          {"tried", result.tried},       {"expected", result.expected},
          {"happened", result.happened}, {"details", result.details},
          {"hint", result.hint},         {"seconds", result.seconds}};
}

}  // namespace

std::string text_of(const app::Grade& grade) {
  std::string text = grade.name + ": " + grade.title + "\n";
  bool is_program = true;
  for (const app::TrialResult& result : grade.results) {
    text += std::string(result.passed ? "  passed  " : "  FAILED  ") + result.name;
    if (result.points_max > 0) text += ": " + points_of(result.points, result.points_max);
    text += "\n";
    if (!result.passed && is_program) text += indented(account_of(result), "            ");
    if (&result == &grade.results.front()) is_program = result.passed;  // without one, no check was tried
  }
  return text + "  " + points_of(grade.points(), grade.points_max()) + "\n";
}

std::string total_of(const std::vector<app::Grade>& grades) {
  return "total: " + points_of(sum(grades, &app::Grade::points), sum(grades, &app::Grade::points_max)) + "\n";
}

app::Json to_json(const std::vector<app::Grade>& grades) {
  app::Json json = {{"rehearse", app::version},
                    {"passed", std::ranges::all_of(grades, &app::Grade::passed)},
                    {"points", sum(grades, &app::Grade::points)},
                    {"points_max", sum(grades, &app::Grade::points_max)},
                    {"exercises", app::Json::array()}};
  for (const app::Grade& grade : grades) {
    app::Json exercise = {{"exercise", grade.title},          {"folder", grade.name},
                          {"passed", grade.passed()},         {"points", grade.points()},
                          {"points_max", grade.points_max()}, {"checks", app::Json::array()}};
    for (const app::TrialResult& result : grade.results) exercise["checks"].push_back(to_json(result));
    json["exercises"].push_back(std::move(exercise));
  }
  return json;
}

std::vector<JUnitSuite> junit_suites(const std::vector<app::Grade>& grades) {
  std::vector<JUnitSuite> suites;
  for (const app::Grade& grade : grades) {
    JUnitSuite suite{grade.title, {}};
    for (const app::TrialResult& result : grade.results) {
      JUnitCase each{result.name, grade.name, result.seconds, JUnitCase::Result::passed, "", "", ""};
      if (!result.passed) {
        each.result = JUnitCase::Result::failure;
        each.type = "expectation";
        each.message = result.happened;
        each.text = account_of(result);
      }
      suite.cases.push_back(std::move(each));
    }
    suites.push_back(std::move(suite));
  }
  return suites;
}

app::Json gradescope_results(const std::vector<app::Grade>& grades) {
  double seconds = 0;
  app::Json tests = app::Json::array();
  for (const app::Grade& grade : grades) {
    for (const app::TrialResult& result : grade.results) {
      seconds += result.seconds;
      tests.push_back({{"name", grades.size() > 1 ? grade.title + ": " + result.name : result.name},
                       {"score", result.points},
                       {"max_score", result.points_max},
                       {"status", result.passed ? "passed" : "failed"},
                       {"output", result.passed ? result.happened : account_of(result)}});
    }
  }
  return {{"score", sum(grades, &app::Grade::points)},
          {"execution_time", static_cast<std::uint64_t>(seconds + 0.5)},
          {"visibility", "visible"},
          {"tests", std::move(tests)}};
}

}  // namespace rehearse::cli
