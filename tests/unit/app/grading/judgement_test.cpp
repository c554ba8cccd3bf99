// SPDX-License-Identifier: MIT
//
// The results of trials, from reports in the form of rehearse check and rehearse run.
#include "app/grading/judgement.hpp"

#include <catch2/catch.hpp>

namespace rehearse::app {
namespace {

using Verdict = Exploration::Verdict;

Finding lost_message(const std::string& file) {
  Finding finding;
  finding.id = finding_ids::message_lost;
  finding.message = "the message of rank 1";
  finding.actors = {{1}};
  finding.locations = {{{1}, "MPI_Send(...)", file, 12, "main", "sends"}};
  return finding;
}

Json report_of(const char* verdict, const std::vector<std::string>& reasons, const std::vector<Finding>& findings) {
  Json json = {{"verdict", verdict},
               {"executions", 3},
               {"simulated_seconds", 2.5},
               {"reasons", reasons},
               {"findings", Json::array()}};
  for (const Finding& finding : findings) json["findings"].push_back(to_json(finding));
  return json;
}

Exercise exercise() {
  Exercise result;
  result.hidden = {"hidden/test.c"};
  return result;
}

TrialResult explored(const Exploration& expected, const Json& report, bool reveal = false) {
  TrialResult result;
  judge(expected, report, exercise(), reveal, result);
  return result;
}

TrialResult ran(const TimedTask& expected, std::optional<double> seconds_max, int status, const std::string& out) {
  VerbAnswer answer;
  answer.end.status = status;
  answer.end.out = out;
  answer.end.err = "something\ninconclusive: MPI_Nothing is not supported yet\n";
  answer.report = report_of("", {}, {});
  TrialResult result;
  judge(expected, seconds_max, answer, exercise(), false, result);
  return result;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("judgement: verified passes unless a violation is required") {
  const Json report = report_of("verified", {}, {});
  CHECK(explored({Verdict::verified, "", {}}, report).passed);
  CHECK(explored({Verdict::within_bounds, "", {}}, report).passed);
  CHECK_FALSE(explored({Verdict::violation, "", {}}, report).passed);
  CHECK(explored({}, report).happened == "verified: nothing goes wrong in any of 3 executions");
}

TEST_CASE("judgement: an exploration that its bounds ended is within bounds, one with unsupported calls is not") {
  const Json bounded = report_of("inconclusive", {"it took 3 s (--max-seconds)"}, {});
  CHECK(explored({Verdict::within_bounds, "", {}}, bounded).passed);
  CHECK_FALSE(explored({Verdict::verified, "", {}}, bounded).passed);
  CHECK(has(explored({}, bounded).details, "--max-seconds"));
  const Json unsupported = report_of("inconclusive", {"a call is not supported", "(--max-seconds)"}, {});
  CHECK_FALSE(explored({Verdict::within_bounds, "", {}}, unsupported).passed);
  CHECK_FALSE(explored({Verdict::within_bounds, "", {}}, report_of("inconclusive", {}, {})).passed);
}

TEST_CASE("judgement: a violation is the expected one by its id or by its class") {
  const Json report = report_of("violation", {}, {lost_message("mine.c")});
  CHECK_FALSE(explored({}, report).passed);
  CHECK(explored({Verdict::violation, "", {}}, report).passed);
  CHECK(explored({Verdict::violation, "message", {}}, report).passed);
  CHECK(explored({Verdict::violation, "message.lost", {}}, report).passed);
  CHECK_FALSE(explored({Verdict::violation, "mess", {}}, report).passed);
  CHECK_FALSE(explored({Verdict::violation, "deadlock", {}}, report).passed);
  CHECK(explored({}, report).happened.starts_with("violation: message.lost: "));
}

TEST_CASE("judgement: a warning is no violation") {
  Finding warning = lost_message("mine.c");
  warning.severity = Severity::warning;
  CHECK(explored({}, report_of("verified", {}, {warning})).passed);
}

TEST_CASE("judgement: places in hidden files are shown to teachers only") {
  const Json hidden = report_of("violation", {}, {lost_message("/home/me/test.c")});
  const std::string for_students = explored({}, hidden).details, for_teachers = explored({}, hidden, true).details;
  CHECK_FALSE(has(for_students, "test.c"));
  CHECK_FALSE(has(for_students, "the message of rank 1"));
  CHECK(has(for_students, "in the hidden test"));
  CHECK(has(for_teachers, "test.c"));
  CHECK(has(explored({}, report_of("violation", {}, {lost_message("mine.c")})).details, "mine.c"));
}

TEST_CASE("judgement: a run passes with the expected output within its time") {
  const TimedTask task{ExpectedOutput{ExpectedOutput::How::lines, {"done"}}, {}, {}, {}};
  CHECK(ran(task, std::nullopt, 0, "done\n").passed);
  CHECK(ran(task, 2.5, 0, "done\n").passed);
  const TrialResult slow = ran(task, 2.4, 0, "done\n");
  CHECK_FALSE(slow.passed);
  CHECK(slow.happened == "too slow: 2.5 s of simulated time, at most 2.4 s");
  const TrialResult other = ran(task, std::nullopt, 0, "begun\n");
  CHECK_FALSE(other.passed);
  CHECK(other.happened == "another output");
  CHECK(has(other.details, "'begun'"));
}

TEST_CASE("judgement: a run that is not carried out does not pass, and has a reason") {
  const TrialResult result = ran({}, std::nullopt, 3, "");
  CHECK_FALSE(result.passed);
  CHECK(has(result.happened, "exit status 3"));
  CHECK(result.details == "inconclusive: MPI_Nothing is not supported yet\n");
}

TEST_CASE("judgement: a program of actors ends with status 0 and its output") {
  const ActorTask task{ExpectedOutput{ExpectedOutput::How::exact, {"a"}}};
  const auto judged = [&](int status, const char* out) {
    ProcessEnd end;
    end.status = status;
    end.out = out;
    TrialResult result;
    judge(task, end, result);
    return result;
  };
  CHECK(judged(0, "a").passed);
  CHECK_FALSE(judged(0, "b").passed);
  CHECK_FALSE(judged(1, "a").passed);
  CHECK(judged(1, "a").happened == "it ends with status 1");
}

TEST_CASE("judgement: a damaged report is an exception, not a pass") {
  CHECK_THROWS_AS(explored({}, Json{{"verdict", 3}}), JsonError);
  CHECK_THROWS_AS(explored({}, Json(nullptr)), JsonError);
}

TEST_CASE("judgement: a student can type the command, and the expectation is in words") {
  Trial trial;
  trial.ranks = 4;
  trial.arguments = {"-v", "3"};
  trial.what = Exploration{Verdict::violation, "deadlock", {"--buffering", "zero"}};
  CHECK(command_of(trial, "/home/me/ring") == "rehearse check -n 4 --buffering zero ./ring -v 3");
  CHECK(expectation_of(trial) == "a violation: deadlock");
  trial.what = TimedTask{ExpectedOutput{}, 2.5, {}, {}};
  CHECK(command_of(trial, "/home/me/ring") == "rehearse run -n 4 ./ring -v 3");
  CHECK(has(expectation_of(trial), "takes at most 2.5 s of simulated time"));
  trial.what = ActorTask{};
  CHECK(command_of(trial, "/home/me/ring") == "./ring -v 3");
  CHECK(expectation_of(trial) == "it ends well");
}

}  // namespace rehearse::app
