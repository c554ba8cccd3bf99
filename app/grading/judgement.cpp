// SPDX-License-Identifier: MIT
//
// Comparing answers with expectations.
#include "app/grading/judgement.hpp"

#include <algorithm>
#include <cstdio>

#include "app/exit_status.hpp"
#include "app/grading/build.hpp"
#include "app/grading/output_comparison.hpp"
#include "app/wording.hpp"
#include "properties/catalogue.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t finding_lines = 12;

bool is_one_of(const std::string& file, const std::vector<std::string>& files) {
  return std::ranges::any_of(files, [&](const std::string& each) {
    return fs::path(file).filename() == fs::path(each).filename();
  });
}

// The text of a finding, without information about hidden files.
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
  // The student cannot see an assertion of the test, so the advice to look at it is left out.
  const std::string text = describe(finding);
  const std::size_t advice = finding.id.family() == finding_ids::assertion ? text.find("  what to do: ")
                                                                           : std::string::npos;
  return first_lines(text.substr(0, advice), finding_lines);
}

const Json* first_error(const Json& report) {
  const auto& findings = report.at("findings");
  const auto found =
      std::find_if(findings.begin(), findings.end(), [](const Json& each) { return each.at("severity") == "error"; });
  return found == findings.end() ? nullptr : &*found;
}

void report_finding(const Json& finding, const Exercise& exercise, bool reveal, TrialResult& result) {
  const properties::Check* check = properties::find_check(finding.at("id").get<std::string>());
  result.happened = "violation: " + finding.at("id").get<std::string>();
  if (check != nullptr) result.happened += ": " + std::string(check->text);
  result.details = describe_finding(finding, exercise, reveal);
}

// Whether only its bounds ended an exploration.
bool only_bounded(const Json& report) {
  const auto& reasons = report.at("reasons");
  return !reasons.empty() && std::all_of(reasons.begin(), reasons.end(), [](const Json& reason) {
    const auto text = reason.get<std::string>();
    return text.find("(--max-") != std::string::npos || text.find("(--search)") != std::string::npos;
  });
}

}  // namespace

std::string short_number(double number) {
  char text[64];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
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

std::string wrong_output(const TimedTask& expected, const VerbAnswer& answer) {
  return expected.output ? difference(*expected.output, answer.end.out) : "";
}

void judge(const TimedTask& expected, std::optional<double> seconds_max, const VerbAnswer& answer,
           const Exercise& exercise, bool reveal, TrialResult& result) {
  if (const Json* error = first_error(answer.report)) return report_finding(*error, exercise, reveal, result);
  if (answer.end.status != exit_good) {
    const std::size_t at = answer.end.err.find("inconclusive: ");
    result.happened = fmt::format("it cannot run to its end (exit status {})", answer.end.status);
    if (at != std::string::npos) result.details = first_lines(answer.end.err.substr(at), 3);
    return;
  }
  const double seconds = answer.report.at("simulated_seconds");
  result.happened = "it ends well after " + short_number(seconds) + " s of simulated time";
  result.details = wrong_output(expected, answer);
  if (!result.details.empty()) {
    result.happened = "another output";
    result.details += "\n";
    return;
  }
  if (seconds_max && seconds > *seconds_max) {
    result.happened = "too slow: " + short_number(seconds) + " s of simulated time, at most " +
                      short_number(*seconds_max) + " s";
    return;
  }
  result.passed = true;
}

void judge(const ActorTask& expected, const ProcessEnd& end, TrialResult& result) {
  if (end.status != exit_good) {
    result.happened = fmt::format("it ends with status {}", end.status);
    result.details = first_lines(end.out + end.err, finding_lines);
    return;
  }
  result.details = expected.output ? difference(*expected.output, end.out) : "";
  result.passed = result.details.empty();
  result.happened = result.passed ? "it ends well" : "another output";
  if (!result.passed) result.details += "\n";
}

std::string command_of(const Trial& trial, const std::string& program) {
  std::string text;
  if (!std::holds_alternative<ActorTask>(trial.what)) {
    const auto* check = std::get_if<Exploration>(&trial.what);
    text = fmt::format("rehearse {} -n {} ", check != nullptr ? "check" : "run", trial.ranks);
    for (const std::string& option : check != nullptr ? check->options : std::get<TimedTask>(trial.what).options)
      text += option + " ";
  }
  text += "./" + fs::path(program).filename().string();
  for (const std::string& argument : trial.arguments) text += " " + argument;
  return text;
}

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
  if (run.seconds_max) parts.push_back("takes at most " + short_number(*run.seconds_max) + " s of simulated time");
  if (run.reference_times_max)
    parts.push_back("takes at most " + short_number(*run.reference_times_max) +
                    " times as long as the reference solution");
  return list_of(parts);
}

}  // namespace rehearse::app
