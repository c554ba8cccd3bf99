// SPDX-License-Identifier: MIT
//
// rehearse grade: compiles, checks and runs submissions, and compares the results with an exercise.
#include <algorithm>
#include <filesystem>
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

namespace fs = std::filesystem;

struct GradeOptions {
  std::string folder;
  std::string submission;
  std::string json, junit, gradescope;
  bool reveal = false, quiet = false;
};

// Errors: what could not be written.
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
  auto exercises = app::read_exercises(options.folder);
  if (!exercises) return report_error(exercises.error());
  const fs::path submissions = options.submission.empty() ? options.folder : options.submission;
  const bool is_one = fs::exists(fs::path(options.folder) / app::specification_name);
  std::error_code ignored;
  if (!fs::is_directory(submissions, ignored))
    return report_error({"grade: --submission: " + submissions.string() + " is not a folder"});
  const bool is_piped = options.json == "-" || options.junit == "-" || options.gradescope == "-";
  const bool is_printed = !options.quiet && !is_piped;
  std::vector<app::Grade> grades;
  for (const app::Exercise& exercise : exercises.value()) {
    auto graded = grade(exercise, is_one ? submissions : submissions / app::name_of(exercise.folder), options.reveal);
    if (!graded) return report_error(graded.error());
    if (is_printed) std::cout << text_of(graded.value()) << std::flush;
    grades.push_back(std::move(graded.value()));
  }
  if (is_printed && grades.size() > 1) std::cout << total_of(grades) << std::flush;
  const Result<void> written = write(options, grades);
  if (!written) return report_error({"grade: " + written.error().text});
  return std::ranges::all_of(grades, &app::Grade::passed) ? app::exit_good : app::exit_violation;
}

}  // namespace rehearse::cli
