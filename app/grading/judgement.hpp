// SPDX-License-Identifier: MIT
//
// What a trial is worth, from what our verbs answered: values in and values out, and no process.
//
// Errors: Json::exception where the report is none of ours; the program under test shares a process with its writer.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/exercise.hpp"
#include "app/finding_json.hpp"
#include "app/grade.hpp"
#include "app/grading/bounded_process.hpp"

namespace rehearse::app {

// What one process of ours said of a program.
struct VerbAnswer {
  std::string trouble;  // it did not come to an answer
  ProcessEnd end;
  Json report;
};

// Fill in whether the trial passed, what happened, and the details. `reveal`: also what is hidden from students.
void judge(const Exploration& expected, const Json& report, const Exercise& exercise, bool reveal, TrialResult& result);

// `seconds_max`: of simulated time; none: it may take as long as it likes.
void judge(const TimedTask& expected, std::optional<double> seconds_max, const VerbAnswer& answer,
           const Exercise& exercise, bool reveal, TrialResult& result);

// Of a program of actors that ended within its bounds.
void judge(const ActorTask& expected, const ProcessEnd& end, TrialResult& result);

// Of a program that ended well: what is wrong with its output, or nothing.
std::string wrong_output(const TimedTask& expected, const VerbAnswer& answer);

// What is expected, in words.
std::string expectation_of(const Trial& trial);

// The command as a student would type it, without the bounds that grading adds.
std::string command_of(const Trial& trial, const std::string& program);

// With six digits at most.
std::string short_number(double number);

}  // namespace rehearse::app
