// SPDX-License-Identifier: MIT
//
// rehearse grade: compiles, checks and runs submissions, and compares the results with an exercise.
#include <algorithm>
#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/report/grade_report.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/grade.hpp"

namespace rehearse::cli {
namespace {

struct GradeOptions {
  std::string folder;
  std::string submission;
  std::string json, junit, gradescope;
  bool reveal = false, quiet = false;
};

// Errors: the file that could not be written.
Result<void> write(const GradeOptions& options, const std::vector<app::Grade>& grades) {
  if (!options.json.empty()) {
    const Result<void> written = write_json(options.json, to_json(grades));
    if (!written) return Error{"--json: " + written.error().text};
  }
  if (!options.gradescope.empty()) {
    const Result<void> written = write_json(options.gradescope, gradescope_results(grades));
    if (!written) return Error{"--gradescope: " + written.error().text};
  }
  if (options.junit.empty()) return {};
  const Result<void> written = write_text(options.junit, junit_xml(junit_suites(grades)));
  return written ? written : Error{"--junit: " + written.error().text};
}

}  // namespace

int run_grade(const Arguments& arguments) {
  GradeOptions options;
  Options parser("grade", "DIR [options]",
                 "Compiles a submission, checks and runs it, and compares the results with exercise.json.",
                 "rehearse grade examples/classroom/1_ring --submission my_ring");
  parser.app()
      .add_option("DIR", options.folder, "folder of an exercise, or folder that contains folders of exercises")
      ->required();
  parser.app().add_option("--submission", options.submission,
                          "folder of the submission (default: DIR); for several exercises, with one folder for each");
  parser.app().add_flag("--reveal", options.reveal, "for teachers: also show hidden checks and files");
  parser.app().add_option("--json", options.json, "file to write the grades to, as JSON (-: standard output)");
  parser.app().add_option("--junit", options.junit,
                          "file to write JUnit XML to, with a test case for each check (-: standard output)");
  parser.app().add_option("--gradescope", options.gradescope,
                          "file to write Gradescope's results.json to (-: standard output)");
  parser.app().add_flag("--quiet", options.quiet, "print no text");
  if (const auto status = parser.parse(arguments)) return *status;
  const bool is_piped = options.json == "-" || options.junit == "-" || options.gradescope == "-";
  const bool is_printed = !options.quiet && !is_piped;
  const auto print = [is_printed](const app::Grade& grade) {
    if (is_printed) std::cout << text_of(grade) << std::flush;
  };
  const auto grades = app::grade_all(options.folder, options.submission, options.reveal, print);
  if (!grades) return report_error(grades.error());
  if (is_printed && grades.value().size() > 1) std::cout << total_of(grades.value()) << std::flush;
  const Result<void> written = write(options, grades.value());
  if (!written) return report_error({"grade: " + written.error().text});
  return std::ranges::all_of(grades.value(), &app::Grade::passed) ? app::exit_good : app::exit_violation;
}

}  // namespace rehearse::cli
