// SPDX-License-Identifier: MIT
//
// rehearse grade: what students handed in, compiled, checked, run, and compared with what an exercise asks for.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/exit_status.hpp"
#include "cli/grading/build.hpp"
#include "cli/grading/exercise.hpp"
#include "cli/grading/grade_report.hpp"
#include "cli/grading/trial.hpp"
#include "cli/message.hpp"
#include "cli/report/output_file.hpp"
#include "cli/verb_options.hpp"
#include "cli/verbs.hpp"

namespace rehearse::cli {
namespace {

namespace fs = std::filesystem;

struct GradeOptions {
  std::string folder;
  std::string submission;
  std::string json, junit, gradescope;
  bool reveal = false, quiet = false;
};

// An exercise, or the exercises directly below the folder, by name.
Result<std::vector<Exercise>> read_exercises(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code problem, ignored;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem))
    if (fs::exists(entry->path() / specification_name, ignored)) folders.push_back(entry->path());
  if (problem) return Error{"grade: " + folder.string() + ": " + problem.message()};
  if (fs::exists(folder / specification_name, ignored)) folders = {folder};
  if (folders.empty())
    return Error{"grade: " + folder.string() + ": there is no " + specification_name +
                 ", here or one folder below; what was handed in is named by --submission"};
  std::ranges::sort(folders);
  std::vector<Exercise> exercises;
  for (const fs::path& each : folders) {
    auto exercise = read_exercise(each);
    if (!exercise) return exercise.error();
    exercises.push_back(std::move(exercise.value()));
  }
  return exercises;
}

std::string last_part_of(const fs::path& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

TrialResult result_of(const Exercise& exercise, const Built& built) {
  TrialResult result;
  result.name = "it compiles";
  result.passed = !built.program.empty();
  result.points_max = exercise.compile_points;
  result.points = result.passed ? result.points_max : 0;
  result.tried = "rehearse cc";
  for (const std::string& file : exercise.sources) result.tried += " " + file;
  result.expected = "a program";
  result.happened = result.passed ? "a program" : "none";
  result.details = built.complaint;
  return result;
}

TrialResult not_tried(const Trial& trial) {
  TrialResult result;
  result.name = trial.name;
  result.points_max = trial.points;
  result.tried = "nothing: there is no program";
  result.expected = expectation_of(trial);
  result.happened = "it does not compile";
  return result;
}

// The reference solution's program, if a trial needs it.
Result<std::string> build_reference(const Exercise& exercise, const fs::path& work) {
  const auto needs_it = [](const Trial& trial) {
    const auto* run = std::get_if<TimedTask>(&trial.what);
    return run != nullptr && run->reference_times_max;
  };
  if (std::ranges::none_of(exercise.trials, needs_it)) return std::string();
  auto built = build(exercise, exercise.folder / exercise.reference, work / "reference", true);
  if (!built) return built.error();
  if (built.value().program.empty()) {
    return Error{(exercise.folder / specification_name).string() + ": the reference does not compile: " +
                 built.value().complaint.substr(0, built.value().complaint.find('\n'))};
  }
  return built.value().program;
}

Result<Grade> grade(const Exercise& exercise, const fs::path& submission, bool reveal) {
  auto work = WorkFolder::make();
  if (!work) return work.error();
  const fs::path& folder = work.value().path();
  Grade result{exercise.title, last_part_of(exercise.folder), {}};
  auto built = build(exercise, submission, folder, reveal);
  if (!built) return built.error();
  auto reference = build_reference(exercise, folder);
  if (!reference) return reference.error();
  result.results.push_back(result_of(exercise, built.value()));
  for (std::size_t i = 0; i < exercise.trials.size(); ++i) {
    if (built.value().program.empty()) {
      result.results.push_back(not_tried(exercise.trials[i]));
      continue;
    }
    auto tried = try_out(exercise, exercise.trials[i], {built.value().program, reference.value()},
                         folder / ("trial" + std::to_string(i)), reveal);
    if (!tried) return tried.error();
    result.results.push_back(std::move(tried.value()));
  }
  return result;
}

// What could not be written, or nothing.
std::string write(const GradeOptions& options, const std::vector<Grade>& grades) {
  if (!options.json.empty()) {
    const std::string problem = write_json(options.json, to_json(grades));
    if (!problem.empty()) return "--json: " + problem;
  }
  if (!options.gradescope.empty()) {
    const std::string problem = write_json(options.gradescope, gradescope_results(grades));
    if (!problem.empty()) return "--gradescope: " + problem;
  }
  if (options.junit.empty()) return "";
  const std::string problem = write_text(options.junit, junit_xml(junit_suites(grades)));
  return problem.empty() ? "" : "--junit: " + problem;
}

}  // namespace

int run_grade(const Arguments& arguments) {
  GradeOptions options;
  Options parser("grade", "DIR [options]",
                 "Compiles what was handed in, checks and runs it, and compares that with what exercise.json asks for.",
                 "rehearse grade examples/classroom/1_ring --submission my_ring");
  parser.app().add_option("DIR", options.folder, "an exercise's folder, or one of exercises' folders")->required();
  parser.app().add_option("--submission", options.submission,
                          "the folder of what was handed in (DIR); of several exercises: with a folder for each");
  parser.app().add_flag("--reveal", options.reveal, "also show what is hidden: for teachers");
  parser.app().add_option("--json", options.json, "the grades as JSON, to this file (-: standard output)");
  parser.app().add_option("--junit", options.junit, "as JUnit XML, a test case for each check (-: standard output)");
  parser.app().add_option("--gradescope", options.gradescope, "as Gradescope's results.json (-: standard output)");
  parser.app().add_flag("--quiet", options.quiet, "no text");
  if (const auto status = parser.parse(arguments)) return *status;
  auto exercises = read_exercises(options.folder);
  if (!exercises) return report_error(exercises.error());
  const fs::path submissions = options.submission.empty() ? options.folder : options.submission;
  const bool is_one = fs::exists(fs::path(options.folder) / specification_name);
  std::error_code ignored;
  if (!fs::is_directory(submissions, ignored))
    return report_error({"grade: --submission: " + submissions.string() + " is not a folder"});
  const bool is_piped = options.json == "-" || options.junit == "-" || options.gradescope == "-";
  const bool is_told = !options.quiet && !is_piped;
  std::vector<Grade> grades;
  for (const Exercise& exercise : exercises.value()) {
    auto graded = grade(exercise, is_one ? submissions : submissions / last_part_of(exercise.folder), options.reveal);
    if (!graded) return report_error(graded.error());
    if (is_told) std::cout << text_of(graded.value()) << std::flush;
    grades.push_back(std::move(graded.value()));
  }
  if (is_told && grades.size() > 1) std::cout << total_of(grades) << std::flush;
  const std::string problem = write(options, grades);
  if (!problem.empty()) return report_error({"grade: " + problem});
  return std::ranges::all_of(grades, &Grade::passed) ? exit_good : exit_violation;
}

}  // namespace rehearse::cli
