// SPDX-License-Identifier: MIT
//
// The file with one finding and everything that is needed to reproduce it.
//
// Shape:  JSON; `rehearse_counterexample` is the version of the format (docs/manual.md); files of version 1 are read.
// Errors: the file, the key and its fault.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/actor_step.hpp"
#include "app/compute_options.hpp"
#include "app/finding_json.hpp"
#include "app/job.hpp"
#include "mc/explore.hpp"
#include "mc/investigate.hpp"
#include "simcore/finding.hpp"
#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {

// The explanation of the finding.
struct Explanation {
  mc::Explanation cause;           // without its finding and steps: see Counterexample and `story`
  std::vector<std::string> story;  // lines for people
  std::vector<std::string> waits;  // lines for people: the waits of ranks
  std::string replayed_on;         // the platform on which it was reproduced before it was written
};

// The date of the finding on a platform.
struct PredictedTime {
  std::string platform;
  std::optional<double> seconds;  // none: it does not happen at the dates of the platform
};

struct Counterexample {
  std::string program;       // absolute path
  std::string program_hash;  // see hash_of_programs
  std::vector<std::string> arguments;
  std::uint32_t ranks = 0;           // of all programs
  std::vector<Job::Further> others;  // further programs, with absolute paths
  smpi::NodeMap nodes;               // the nodes of the ranks
  Policy policy;                     // under which the finding happens
  smpi::BufferChecks buffers;        // the checks of buffers
  std::vector<std::uint64_t>
      cancelled_sends;                      // places whose sends were explored with both outcomes (smpi::CancelSearch)
  std::vector<std::string> window_objects;  // see Job
  std::vector<smpi::SpawnedGroup> groups;   // of ranks that others start
  Finding finding;                          // with its schedule
  std::string folder;                       // working directory of the check; empty: unknown (files of version 1)
  std::uint32_t failures = 0;               // value of --failures
  std::uint32_t polls = 1;                  // value of --polls
  std::string platform;                     // value of --on; empty: none
  std::optional<double> time_bound;         // value of --time-bound, in seconds
  std::optional<ComputeOptions> compute;    // if times were predicted
  std::optional<PredictedTime> predicted;
  std::optional<Explanation> explanation;  // none: the finding could not be explained
  bool is_of_actors = false;               // a program of the actor API, whose actors are one rank
  std::vector<ActorStep> steps = {};       // of its actors, or of ranks whose execution does not end
  // If the execution does not end: the last `loop` steps repeat forever, and the schedule takes them twice. With 0 it
  // ends, and its last state stays. None: an execution with an error.
  std::optional<std::uint32_t> loop = {};
  std::vector<std::uint32_t> operations = {};  // with `loop`, by rank: operations that it starts in these steps
  bool is_fewest = false;                      // no execution with fewer unusual steps ends this way; false: unknown
};

Json to_json(const PredictedTime& time);

// The job of a counter-example.
Job job_of(const Counterexample& counterexample);

// The counter-example as a document, and back.
Json to_json(const Counterexample& counterexample);
Result<Counterexample> counterexample_from_json(const std::string& file, const Json& json);

// The error is the reason why it could not be written.
Result<void> write_counterexample(const std::string& file, const Counterexample& counterexample);

Result<Counterexample> read_counterexample(const std::string& file);

// FNV-1a (64 bits) of the file's content, in hexadecimal: distinguishes a rebuilt program from the checked one.
Result<std::string> hash_of_file(const std::string& path);

// The hashes of all its programs, with commas.
Result<std::string> hash_of_programs(const Counterexample& counterexample);

}  // namespace rehearse::app
