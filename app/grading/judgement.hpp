// SPDX-License-Identifier: MIT
//
// Judges a trial by the report of a verb. Starts no process.
//
// Errors: JsonError if the report lacks a key: the submission shares a process with the verb and may have damaged it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/exercise.hpp"
#include "app/finding_json.hpp"
#include "app/grade.hpp"
#include "app/grading/bounded_process.hpp"

namespace rehearse::app {

// The answer of one verb about a program.
struct VerbAnswer {
  std::string trouble;  // the reason why there is no answer; empty: there is one
  ProcessEnd end;
  Json report;
};

// Set whether the trial passed, the result in words, and the details. `reveal`: with the parts hidden from students.
void judge(const Exploration& expected, const Json& report, const Exercise& exercise, bool reveal, TrialResult& result);

// `seconds_max`: of simulated time; none: no limit.
void judge(const TimedTask& expected, std::optional<double> seconds_max, const VerbAnswer& answer,
           const Exercise& exercise, bool reveal, TrialResult& result);

// Of a program of actors that ended within its bounds.
void judge(const ActorTask& expected, const ProcessEnd& end, TrialResult& result);

// The difference between the output of a program that ended well and the expected output; empty: none.
std::string wrong_output(const TimedTask& expected, const VerbAnswer& answer);

// The expectation in words.
std::string expectation_of(const Trial& trial);

// The command as a student would type it, without the bounds that grading adds.
std::string command_of(const Trial& trial, const std::string& program);

// With at most six digits.
std::string short_number(double number);

}  // namespace rehearse::app
