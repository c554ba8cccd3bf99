// SPDX-License-Identifier: MIT
//
// Runs one check of an exercise and compares the result with the expected one.
#include "app/grading/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>

#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/grading/build.hpp"
#include "app/grading/output_comparison.hpp"
#include "app/wording.hpp"
#include "properties/catalogue.hpp"

namespace rehearse::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t finding_lines = 12;

// What one process of ours said of a program.
struct Answer {
  std::string trouble;  // it did not come to an answer
  ProcessEnd end;
  Json report;
};

std::string text_of(double number) {
  char text[64];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

bool is_one_of(const std::string& file, const std::vector<std::string>& files) {
  return std::ranges::any_of(files, [&](const std::string& each) {
    return fs::path(file).filename() == fs::path(each).filename();
  });
}

// A finding without what it would give away of hidden files.
std::string describe_finding(const Json& json, const Exercise& exercise, bool reveal) {
  auto parsed = finding_from_json(json);
  if (!parsed) return parsed.error().text + "\n";
  Finding finding = std::move(parsed.value());
  const auto is_hidden = [&](const Location& location) { return is_one_of(location.file, exercise.hidden); };
  if (reveal || std::ranges::none_of(finding.locations, is_hidden))
    return first_lines(describe(finding), finding_lines);
  const properties::Check* check = properties::find_check(finding.id.text());
  finding.message = check == nullptr ? "in the hidden test" : std::string(check->text);
  for (Location& location : finding.locations)
    if (is_hidden(location)) location = {location.actor, "", "", 0, "", "in the hidden test"};
  // An assertion of the test is none that the student could look at: only the exercise's hint helps.
  const std::string text = describe(finding);
  const std::size_t advice =
      finding.id.family() == finding_ids::assertion ? text.find("  what to do: ") : std::string::npos;
  return first_lines(text.substr(0, advice), finding_lines);
}

const Json* first_error(const Json& report) {
  const auto& findings = report.at("findings");
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [](const Json& each) { return each.at("severity") == "error"; });
  return found == findings.end() ? nullptr : &*found;
}

void report_finding(const Json& finding, const Exercise& exercise, bool reveal, TrialResult& result) {
  const properties::Check* check = properties::find_check(finding.at("id").get<std::string>());
  result.happened = "violation: " + finding.at("id").get<std::string>();
  if (check != nullptr) result.happened += ": " + std::string(check->text);
  result.details = describe_finding(finding, exercise, reveal);
}

std::vector<std::string> options_of(const Trial& trial, const Limits& limits) {
  std::vector<std::string> options = {"-n", std::to_string(trial.ranks)};
  const auto& own = std::holds_alternative<Exploration>(trial.what) ? std::get<Exploration>(trial.what).options
                                                                    : std::get<TimedTask>(trial.what).options;
  options.insert(options.end(), own.begin(), own.end());
  options.insert(options.end(), {"--max-step-seconds", text_of(limits.seconds / 3), "--json", "report.json"});
  if (!std::holds_alternative<Exploration>(trial.what)) {
    options.push_back("--discard-files");
    return options;
  }
  options.insert(options.end(), {"--max-executions", std::to_string(limits.executions), "--max-seconds",
                                 text_of(limits.seconds * 0.8), "--max-memory", std::to_string(limits.memory_bytes)});
  const bool is_divisible = std::ranges::find(own, "--search") == own.end();
  if (is_divisible) options.insert(options.end(), {"--jobs", "1"});
  return options;
}

// Runs our verb on the program. An error of ours about an option is one of the specification.
Result<Answer> ask(const Exercise& exercise, const Trial& trial, const std::string& program, const fs::path& work) {
  const std::string verb = std::holds_alternative<Exploration>(trial.what) ? "check" : "run";
  std::vector<std::string> words = {own_path(), verb};
  const auto options = options_of(trial, exercise.limits);
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(program);
  words.insert(words.end(), trial.arguments.begin(), trial.arguments.end());
  Bounds bounds = bounds_of(exercise.limits);
  bounds.memory_bytes += bounds.memory_bytes / 4;  // who explores stops by itself before that
  std::error_code problem;
  fs::create_directories(work, problem);
  auto end = run_bounded(words, work, bounds);
  if (!end) return end.error();
  Answer answer{trouble_of(end.value(), bounds), std::move(end.value()), nullptr};
  if (!answer.trouble.empty()) return answer;
  // The one error of these that is about what the program does: it continues forever, in simulated time.
  const bool is_endless = answer.end.err.find(": the run takes more than ") != std::string::npos;
  if (answer.end.status == exit_bad_input && is_endless) {
    answer.trouble = "not over after 53 days of simulated time";
    return answer;
  }
  if (answer.end.status == exit_bad_input && answer.end.err.starts_with("rehearse: error: " + verb + ": "))
    return Error{(exercise.folder / specification_name).string() + ": '" + trial.name + "': " +
                 answer.end.err.substr(0, answer.end.err.find('\n')).substr(std::strlen("rehearse: error: "))};
  std::ifstream file(work / "report.json", std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  auto report = parse_json(text);
  if (report)
    answer.report = std::move(report.value());
  else
    answer.trouble = "no answer (exit status " + std::to_string(answer.end.status) + "): " +
                     first_lines(answer.end.err, 3);
  return answer;
}

// Whether an exploration was ended by nothing but its bounds.
bool only_bounded(const Json& report) {
  const auto& reasons = report.at("reasons");
  return !reasons.empty() && std::all_of(reasons.begin(), reasons.end(), [](const Json& reason) {
    const auto text = reason.get<std::string>();
    return text.find("(--max-") != std::string::npos || text.find("(--search)") != std::string::npos;
  });
}

void judge(const Exploration& expected, const Json& report, const Exercise& exercise, bool reveal,
           TrialResult& result) {
  const std::string verdict = report.at("verdict");
  const Json* error = first_error(report);
  const std::string count = counted(report.at("executions").get<std::uint64_t>(), "execution");
  if (error != nullptr) {
    const std::string id = error->at("id");
    report_finding(*error, exercise, reveal, result);
    result.passed = expected.verdict == Exploration::Verdict::violation &&
                    (expected.finding.empty() || id == expected.finding || id.starts_with(expected.finding + "."));
    return;
  }
  if (verdict == "verified") {
    result.happened = "verified: nothing goes wrong in any of " + count;
    result.passed = expected.verdict != Exploration::Verdict::violation;
    return;
  }
  result.happened = "inconclusive: nothing wrong in " + count;
  for (const Json& reason : report.at("reasons")) result.details += reason.get<std::string>() + "\n";
  result.passed = expected.verdict == Exploration::Verdict::within_bounds && only_bounded(report);
}

// Of a program that ended well: what is wrong with its output, or nothing.
std::string wrong_output(const TimedTask& expected, const Answer& answer) {
  return expected.output ? difference(*expected.output, answer.end.out) : "";
}

// The simulated seconds of the reference.
Result<double> reference_seconds(const Exercise& exercise, const Trial& trial, const std::string& program,
                                 const fs::path& work) {
  auto answer = ask(exercise, trial, program, work / "reference");
  if (!answer) return answer.error();
  const std::string where = (exercise.folder / specification_name).string() + ": '" + trial.name + "': the reference ";
  if (!answer.value().trouble.empty()) return Error{where + "is " + answer.value().trouble};
  const int status = answer.value().end.status;
  if (status != 0) return Error{where + "ends with status " + std::to_string(status)};
  const std::string wrong = wrong_output(std::get<TimedTask>(trial.what), answer.value());
  if (!wrong.empty()) return Error{where + "does not print the expected output: " + wrong};
  return answer.value().report.at("simulated_seconds").get<double>();
}

void judge(const TimedTask& expected, std::optional<double> seconds_max, const Answer& answer,
           const Exercise& exercise, bool reveal, TrialResult& result) {
  if (const Json* error = first_error(answer.report)) return report_finding(*error, exercise, reveal, result);
  if (answer.end.status != exit_good) {
    const std::size_t at = answer.end.err.find("inconclusive: ");
    result.happened = "it cannot run to its end (exit status " + std::to_string(answer.end.status) + ")";
    if (at != std::string::npos) result.details = first_lines(answer.end.err.substr(at), 3);
    return;
  }
  const double seconds = answer.report.at("simulated_seconds");
  result.happened = "it ends well after " + text_of(seconds) + " s of simulated time";
  result.details = wrong_output(expected, answer);
  if (!result.details.empty()) {
    result.happened = "another output";
    result.details += "\n";
    return;
  }
  if (seconds_max && seconds > *seconds_max) {
    result.happened = "too slow: " + text_of(seconds) + " s of simulated time, at most " + text_of(*seconds_max) + " s";
    return;
  }
  result.passed = true;
}

Result<bool> try_timed(const Exercise& exercise, const Trial& trial, const Programs& programs, const Answer& answer,
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
  } catch (const JsonError& problem) {  // the program shares a process with who writes the report
    result.passed = false;
    result.happened = std::string("a report that is none: ") + problem.what();
  }
  return true;
}

// An actor program explores or simulates by itself, and says how that went.
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
  if (end.value().status != exit_good) {
    result.happened = "it ends with status " + std::to_string(end.value().status);
    result.details = first_lines(end.value().out + end.value().err, finding_lines);
    return true;
  }
  const auto& expected = std::get<ActorTask>(trial.what).output;
  result.details = expected ? difference(*expected, end.value().out) : "";
  result.passed = result.details.empty();
  result.happened = result.passed ? "it ends well" : "another output";
  if (!result.passed) result.details += "\n";
  return true;
}

// As a student would type it, without the bounds that grading adds.
std::string command_of(const Trial& trial, const std::string& program) {
  std::string text;
  if (!std::holds_alternative<ActorTask>(trial.what)) {
    const auto* check = std::get_if<Exploration>(&trial.what);
    text = std::string("rehearse ") + (check != nullptr ? "check" : "run") + " -n " + std::to_string(trial.ranks) + " ";
    for (const std::string& option : check != nullptr ? check->options : std::get<TimedTask>(trial.what).options)
      text += option + " ";
  }
  text += "./" + fs::path(program).filename().string();
  for (const std::string& argument : trial.arguments) text += " " + argument;
  return text;
}

}  // namespace

std::string expectation_of(const Trial& trial) {
  if (const auto* check = std::get_if<Exploration>(&trial.what)) {
    switch (check->verdict) {
      case Exploration::Verdict::verified: return "verified: nothing goes wrong in any execution";
      case Exploration::Verdict::within_bounds:
        return "nothing goes wrong in the executions explored within the limits";
      case Exploration::Verdict::violation:
        return "a violation" + (check->finding.empty() ? "" : ": " + check->finding);
    }
  }
  if (const auto* actors = std::get_if<ActorTask>(&trial.what))
    return actors->output ? "it ends well and prints the expected output" : "it ends well";
  const auto& run = std::get<TimedTask>(trial.what);
  std::vector<std::string> parts = {"it ends well"};
  if (run.output) parts.push_back("prints the expected output");
  if (run.seconds_max) parts.push_back("takes at most " + text_of(*run.seconds_max) + " s of simulated time");
  if (run.reference_times_max)
    parts.push_back("takes at most " + text_of(*run.reference_times_max) + " times as long as the reference solution");
  return list_of(parts);
}

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
