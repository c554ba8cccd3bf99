// SPDX-License-Identifier: MIT
//
// Repeats a run with other seeds, each in a child process.
//
// Seeds:     the first run has the seed of the options; the others have seeds below 2^32 that are drawn from it. So the
//            first seeds of a longer repetition are those of a shorter one.
// Order:     the first run ends before the others begin: an error of the input, and files that it writes, come once.
//            The result does not depend on the number of jobs, unless the runs themselves do.
// Failures:  a run that fails ends the repetition. Runs before it still end, and the first failed one counts.
// Disturbed: a run whose measured computation was disturbed is repeated with the same seed, if wanted; the least
//            disturbed attempt counts.
// Stop:      the runs that ended count.
// Threads:   none; processes as IsolatedPool.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "simcore/stop_token.hpp"

namespace rehearse::app {

struct RepetitionOptions {
  std::uint32_t runs = 1;
  std::uint32_t jobs = 1;               // runs at a time
  std::uint32_t more_if_disturbed = 0;  // largest number of further attempts of a disturbed run
  std::uint64_t seed = 1;
};

// The seeds of so many runs, all different.
std::vector<std::uint64_t> seeds_of_runs(std::uint64_t seed, std::uint32_t runs);

struct Attempt {
  std::uint32_t run = 0;     // from 0 on
  std::uint32_t number = 0;  // from 0 on; above 0: an earlier one was disturbed
  std::uint64_t seed = 1;

  // Prints the program's output, and writes files. The streams of all others are /dev/null.
  bool is_shown() const { return run == 0 && number == 0; }
};

// What an attempt returns from its process.
struct AttemptEnd {
  int exit_status = 0;  // of ExitStatus
  bool was_interrupted = false;
  std::optional<double> disturbance;  // CoreLoad::disturbance(); none: not disturbed
  double simulated_seconds = 0;
  std::string text;   // about a failure, with a line break; empty: it is printed already
  std::string error;  // the text of an error of the input; empty: none
  // Of the first run only:
  std::string title;               // "4 ranks on cluster:4 (4 hosts, network lv08, computation none)"
  std::vector<std::string> notes;  // without one on the disturbance
  Json report;                     // of this run
};

Json to_json(const AttemptEnd& end);
AttemptEnd attempt_end_from(const Json& json);

struct RepeatedRun {
  std::uint64_t seed = 1;
  double simulated_seconds = 0;
  std::uint32_t attempts = 1;
  std::optional<double> disturbance;  // of the attempt that counts; none: not disturbed
};

struct RepetitionFailure {
  std::uint32_t run = 0;
  std::uint64_t seed = 1;
  int exit_status = 0;
  std::string text, error;  // as AttemptEnd
};

struct Repetition {
  RepetitionOptions options;
  AttemptEnd first;               // of the first run
  std::vector<RepeatedRun> runs;  // those that ended well, in the order of their numbers
  std::optional<RepetitionFailure> failure;
  bool was_interrupted = false;

  bool is_partial() const { return runs.size() < options.runs; }
  std::uint32_t disturbed() const;  // number of runs that stayed disturbed
  std::uint32_t repeated() const;   // number of runs with more than one attempt
};

using AttemptWork = std::function<AttemptEnd(const Attempt&)>;
// Gets the number of runs that ended, after each of them; for the last time before repeat() returns.
using RunsProgress = std::function<void(std::uint32_t ended)>;

Repetition repeat(const RepetitionOptions& options, const AttemptWork& work, const StopToken& stop,
                  const RunsProgress& progress = {});

}  // namespace rehearse::app
