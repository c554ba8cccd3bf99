// SPDX-License-Identifier: MIT
//
// From a submission to a grade.
#include "app/grade.hpp"

#include <algorithm>
#include <numeric>

#include "app/grading/build.hpp"
#include "app/grading/judgement.hpp"
#include "app/grading/trial.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

std::string name_of(const fs::path& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

bool Grade::passed() const { return std::ranges::all_of(results, &TrialResult::passed); }

double Grade::points() const {
  return std::accumulate(results.begin(), results.end(), 0.0,
                         [](double sum, const TrialResult& each) { return sum + each.points; });
}

double Grade::points_max() const {
  return std::accumulate(results.begin(), results.end(), 0.0,
                         [](double sum, const TrialResult& each) { return sum + each.points_max; });
}

Result<std::vector<Exercise>> read_exercises(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code problem, ignored;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem))
    if (fs::exists(entry->path() / specification_name, ignored)) folders.push_back(entry->path());
  if (problem) return Error{"grade: " + folder.string() + ": " + problem.message()};
  if (fs::exists(folder / specification_name, ignored)) folders = {folder};
  if (folders.empty())
    return Error{"grade: " + folder.string() + ": there is no " + specification_name +
                 ", here or one folder below; --submission names the folder of the submission"};
  std::ranges::sort(folders);
  std::vector<Exercise> exercises;
  for (const fs::path& each : folders) {
    auto exercise = read_exercise(each);
    if (!exercise) return exercise.error();
    exercises.push_back(std::move(exercise.value()));
  }
  return exercises;
}

Result<Grade> grade(const Exercise& exercise, const fs::path& submission, bool reveal) {
  auto work = WorkFolder::make();
  if (!work) return work.error();
  const fs::path& folder = work.value().path();
  Grade result{exercise.title, name_of(exercise.folder), {}};
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
                         folder / (fmt::format("trial{}", i)), reveal);
    if (!tried) return tried.error();
    result.results.push_back(std::move(tried.value()));
  }
  return result;
}

Result<std::vector<Grade>> grade_all(const fs::path& folder, const fs::path& submissions, bool reveal,
                                     const std::function<void(const Grade&)>& graded) {
  auto exercises = read_exercises(folder);
  if (!exercises) return exercises.error();
  std::error_code ignored;
  const bool is_one = fs::exists(folder / specification_name, ignored);
  const fs::path& all = submissions.empty() ? folder : submissions;
  if (!fs::is_directory(all, ignored)) return Error{"grade: --submission: " + all.string() + " is not a folder"};
  std::vector<Grade> grades;
  for (const Exercise& exercise : exercises.value()) {
    auto grade_of_one = grade(exercise, is_one ? all : all / name_of(exercise.folder), reveal);
    if (!grade_of_one) return grade_of_one.error();
    grades.push_back(std::move(grade_of_one.value()));
    if (graded) graded(grades.back());
  }
  return grades;
}

}  // namespace rehearse::app
