// SPDX-License-Identifier: MIT
//
// Grades in four forms.
// Source: Gradescope's documentation of autograder specifications (results.json).
#include "cli/grading/grade_report.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "cli/report/wording.hpp"
#include "cli/version.hpp"

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

// What somebody needs to know who did not pass.
std::string account_of(const TrialResult& result) {
  std::string text = "tried:    " + result.tried + "\nexpected: " + result.expected + "\nhappened: " + result.happened +
                     "\n";
  text += indented(result.details, "    ");
  if (!result.hint.empty()) text += "hint:     " + wrapped(result.hint, columns, "          ") + "\n";
  return text;
}

double sum(const std::vector<Grade>& grades, double (Grade::*points)() const) {
  double total = 0;
  for (const Grade& grade : grades) total += (grade.*points)();
  return total;
}

Json to_json(const TrialResult& result) {
  return {{"name", result.name},           {"passed", result.passed},       {"points", result.points},
          {"points_max", result.points_max}, {"tried", result.tried},       {"expected", result.expected},
          {"happened", result.happened},   {"details", result.details},     {"hint", result.hint},
          {"seconds", result.seconds}};
}

}  // namespace

bool Grade::passed() const { return std::ranges::all_of(results, &TrialResult::passed); }

double Grade::points() const {
  return std::accumulate(results.begin(), results.end(), 0.0,
                         [](double sum, const TrialResult& each) { return sum + each.points; });
}

double Grade::points_max() const {
  return std::accumulate(results.begin(), results.end(), 0.0,
                         [](double sum, const TrialResult& each) { return sum + each.points_max; });
}

std::string text_of(const Grade& grade) {
  std::string text = grade.name + ": " + grade.title + "\n";
  bool is_program = true;
  for (const TrialResult& result : grade.results) {
    text += std::string(result.passed ? "  passed  " : "  FAILED  ") + result.name;
    if (result.points_max > 0) text += ": " + points_of(result.points, result.points_max);
    text += "\n";
    if (!result.passed && is_program) text += indented(account_of(result), "            ");
    if (&result == &grade.results.front()) is_program = result.passed;  // nothing else was tried without one
  }
  return text + "  " + points_of(grade.points(), grade.points_max()) + "\n";
}

std::string total_of(const std::vector<Grade>& grades) {
  return "total: " + points_of(sum(grades, &Grade::points), sum(grades, &Grade::points_max)) + "\n";
}

Json to_json(const std::vector<Grade>& grades) {
  Json json = {{"rehearse", version},
               {"passed", std::ranges::all_of(grades, &Grade::passed)},
               {"points", sum(grades, &Grade::points)},
               {"points_max", sum(grades, &Grade::points_max)},
               {"exercises", Json::array()}};
  for (const Grade& grade : grades) {
    Json exercise = {{"exercise", grade.title},   {"folder", grade.name},
                     {"passed", grade.passed()},  {"points", grade.points()},
                     {"points_max", grade.points_max()}, {"checks", Json::array()}};
    for (const TrialResult& result : grade.results) exercise["checks"].push_back(to_json(result));
    json["exercises"].push_back(std::move(exercise));
  }
  return json;
}

std::vector<JUnitSuite> junit_suites(const std::vector<Grade>& grades) {
  std::vector<JUnitSuite> suites;
  for (const Grade& grade : grades) {
    JUnitSuite suite{grade.title, {}};
    for (const TrialResult& result : grade.results) {
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

Json gradescope_results(const std::vector<Grade>& grades) {
  double seconds = 0;
  Json tests = Json::array();
  for (const Grade& grade : grades) {
    for (const TrialResult& result : grade.results) {
      seconds += result.seconds;
      tests.push_back({{"name", grades.size() > 1 ? grade.title + ": " + result.name : result.name},
                       {"score", result.points},
                       {"max_score", result.points_max},
                       {"status", result.passed ? "passed" : "failed"},
                       {"output", result.passed ? result.happened : account_of(result)}});
    }
  }
  return {{"score", sum(grades, &Grade::points)},
          {"execution_time", static_cast<std::uint64_t>(seconds + 0.5)},
          {"visibility", "visible"},
          {"tests", std::move(tests)}};
}

}  // namespace rehearse::cli
