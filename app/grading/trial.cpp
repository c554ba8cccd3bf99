// SPDX-License-Identifier: MIT
//
// Runs one trial of an exercise: the processes.
#include "app/grading/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>

#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/grading/build.hpp"
#include "app/grading/judgement.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> options_of(const Trial& trial, const Limits& limits) {
  std::vector<std::string> options = {"-n", std::to_string(trial.ranks)};
  const auto& own = std::holds_alternative<Exploration>(trial.what) ? std::get<Exploration>(trial.what).options
                                                                    : std::get<TimedTask>(trial.what).options;
  options.insert(options.end(), own.begin(), own.end());
  options.insert(options.end(), {"--max-step-seconds", short_number(limits.seconds / 3), "--json", "report.json"});
  if (!std::holds_alternative<Exploration>(trial.what)) {
    options.push_back("--discard-files");
    return options;
  }
  options.insert(options.end(),
                 {"--max-executions", std::to_string(limits.executions), "--max-seconds",
                  short_number(limits.seconds * 0.8), "--max-memory", std::to_string(limits.memory_bytes)});
  const bool is_divisible = std::ranges::find(own, "--search") == own.end();
  if (is_divisible) options.insert(options.end(), {"--jobs", "1"});
  return options;
}

// Runs the verb on the program. An error of the verb about an option is an error of the specification.
Result<VerbAnswer> ask(const Exercise& exercise, const Trial& trial, const std::string& program, const fs::path& work) {
  const std::string verb = std::holds_alternative<Exploration>(trial.what) ? "check" : "run";
  std::vector<std::string> words = {own_path(), verb};
  const auto options = options_of(trial, exercise.limits);
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(program);
  words.insert(words.end(), trial.arguments.begin(), trial.arguments.end());
  Bounds bounds = bounds_of(exercise.limits);
  bounds.memory_bytes += bounds.memory_bytes / 4;  // an exploration stops itself before that
  std::error_code problem;
  fs::create_directories(work, problem);
  auto end = run_bounded(words, work, bounds);
  if (!end) return end.error();
  VerbAnswer answer{trouble_of(end.value(), bounds), std::move(end.value()), nullptr};
  if (!answer.trouble.empty()) return answer;
  // The only error about the behaviour of the program: it continues forever in simulated time.
  const bool is_endless = answer.end.err.find(": the run takes more than ") != std::string::npos;
  if (answer.end.status == exit_bad_input && is_endless) {
    answer.trouble = "not over after 53 days of simulated time";
    return answer;
  }
  if (answer.end.status == exit_bad_input && answer.end.err.starts_with("rehearse: error: " + verb + ": "))
    return Error{(exercise.folder / specification_name).string() + ": '" + trial.name +
                 "': " + answer.end.err.substr(0, answer.end.err.find('\n')).substr(std::strlen("rehearse: error: "))};
  std::ifstream file(work / "report.json", std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  auto report = parse_json(text);
  if (report) answer.report = std::move(report.value());
  else
    answer.trouble = fmt::format("no answer (exit status {}): {}", answer.end.status, first_lines(answer.end.err, 3));
  return answer;
}

// The simulated seconds of the reference.
Result<double> reference_seconds(const Exercise& exercise, const Trial& trial, const std::string& program,
                                 const fs::path& work) {
  auto answer = ask(exercise, trial, program, work / "reference");
  if (!answer) return answer.error();
  const std::string where = (exercise.folder / specification_name).string() + ": '" + trial.name + "': the reference ";
  if (!answer.value().trouble.empty()) return Error{where + "is " + answer.value().trouble};
  const int status = answer.value().end.status;
  if (status != 0) return Error{fmt::format("{}ends with status {}", where, status)};
  const std::string wrong = wrong_output(std::get<TimedTask>(trial.what), answer.value());
  if (!wrong.empty()) return Error{where + "does not print the expected output: " + wrong};
  return answer.value().report.at("simulated_seconds").get<double>();
}

Result<bool> try_timed(const Exercise& exercise, const Trial& trial, const Programs& programs, const VerbAnswer& answer,
                       const fs::path& work, bool reveal, TrialResult& result) {
  const TimedTask& expected = std::get<TimedTask>(trial.what);
  std::optional<double> seconds_max = expected.seconds_max;
  if (expected.reference_times_max) {
    auto seconds = reference_seconds(exercise, trial, programs.reference, work);
    if (!seconds) return seconds.error();
    const double allowed = seconds.value() * *expected.reference_times_max;
    seconds_max = std::min(seconds_max.value_or(allowed), allowed);
  }
  judge(expected, seconds_max, answer, exercise, reveal, result);
  return true;
}

Result<bool> try_ranks(const Exercise& exercise, const Trial& trial, const Programs& programs, const fs::path& work,
                       bool reveal, TrialResult& result) {
  auto answer = ask(exercise, trial, programs.submission, work / "submission");
  if (!answer) return answer.error();
  try {
    if (!answer.value().trouble.empty()) {
      result.happened = answer.value().trouble;
    } else if (const auto* check = std::get_if<Exploration>(&trial.what)) {
      judge(*check, answer.value().report, exercise, reveal, result);
    } else {
      return try_timed(exercise, trial, programs, answer.value(), work, reveal, result);
    }
  } catch (const JsonError& problem) {  // the program shares a process with the verb, and may have damaged the report
    result.passed = false;
    result.happened = std::string("a report that is none: ") + problem.what();
  }
  return true;
}

// An actor program explores or simulates itself, and reports the result by its exit status and output.
Result<bool> try_actors(const Exercise& exercise, const Trial& trial, const std::string& program, const fs::path& work,
                        TrialResult& result) {
  std::vector<std::string> words = {program};
  words.insert(words.end(), trial.arguments.begin(), trial.arguments.end());
  const Bounds bounds = bounds_of(exercise.limits);
  std::error_code problem;
  fs::create_directories(work, problem);
  auto end = run_bounded(words, work, bounds);
  if (!end) return end.error();
  result.happened = trouble_of(end.value(), bounds);
  if (!result.happened.empty()) return true;
  judge(std::get<ActorTask>(trial.what), end.value(), result);
  return true;
}

}  // namespace

Result<TrialResult> try_out(const Exercise& exercise, const Trial& trial, const Programs& programs,
                            const fs::path& work, bool reveal) {
  const auto begin = std::chrono::steady_clock::now();
  const bool is_shown = reveal || !trial.hidden;
  TrialResult result;
  result.name = trial.name;
  result.points_max = trial.points;
  result.tried = is_shown ? command_of(trial, programs.submission) : "a hidden check";
  result.expected = expectation_of(trial);
  auto done = std::holds_alternative<ActorTask>(trial.what)
                  ? try_actors(exercise, trial, programs.submission, work / "submission", result)
                  : try_ranks(exercise, trial, programs, work, reveal, result);
  if (!done) return done.error();
  if (!is_shown) result.details.clear();
  if (!result.passed) result.hint = trial.hint;
  result.points = result.passed ? result.points_max : 0;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace rehearse::app
