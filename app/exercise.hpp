// SPDX-License-Identifier: MIT
//
// An exercise of a teacher: `exercise.json`. docs/classroom.md describes its keys.
//
// Errors: one line with the file, the place in it, the value and the accepted values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::app {

inline constexpr const char* specification_name = "exercise.json";

// The limits of a student's program.
struct Limits {
  double seconds = 30;  // of wall-clock time for each check
  std::uint64_t memory_bytes = 2'000'000'000;
  std::uint64_t executions = 100'000;      // of each exploration
  std::uint64_t output_bytes = 1'000'000;  // of each run
};

struct ExpectedOutput {
  enum class How {
    exact,     // these bytes
    lines,     // these lines in this order; blanks at their ends do not count
    sorted,    // these lines in any order
    contains,  // these lines in this order, and others between them
  };
  How how = How::exact;
  std::vector<std::string> lines;  // of exact: one, the whole text
};

// `check`: an exploration and the verdict that it must have.
struct Exploration {
  enum class Verdict {
    verified,
    within_bounds,  // verified, or no finding within the limits
    violation,      // a finding: for exercises that require a program that fails
  };
  Verdict verdict = Verdict::verified;
  std::string finding;               // of a violation: the first error has this id or class; empty: any
  std::vector<std::string> options;  // of rehearse check
};

// `run`: a run in simulated time, its expected output and its time limit.
struct TimedTask {
  std::optional<ExpectedOutput> output;
  std::optional<double> seconds_max;
  std::optional<double> reference_times_max;  // limit as a multiple of the reference's time
  std::vector<std::string> options;           // of rehearse run
};

// `program`: a program of actors that explores or simulates. It must end with status 0.
struct ActorTask {
  std::optional<ExpectedOutput> output;
};

struct Trial {
  std::string name;
  double points = 0;
  bool hidden = false;                 // arguments, expected output and the place of failure are not shown
  std::string hint;                    // shown if the check fails
  std::uint32_t ranks = 0;             // none: of an ActorTask
  std::vector<std::string> arguments;  // of the program
  std::variant<Exploration, TimedTask, ActorTask> what;
};

struct Exercise {
  std::filesystem::path folder;  // of the specification
  std::string title;
  bool actors = false;               // programs of actors in C++ instead of MPI programs
  std::vector<std::string> sources;  // the student's files, in the folder of a submission
  std::vector<std::string> hidden;   // the teacher's, in `folder`: compiled with them, never shown
  std::string reference;             // a folder below `folder` with a solution; empty: none
  std::vector<std::string> compiler_options;
  Limits limits;
  double compile_points = 0;
  std::vector<Trial> trials;
};

// The exercise in this folder.
Result<Exercise> read_exercise(const std::filesystem::path& folder);

}  // namespace rehearse::app
