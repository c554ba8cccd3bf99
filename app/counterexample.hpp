// SPDX-License-Identifier: MIT
//
// The file that holds one finding together with all that is needed to make it happen again.
//
// Shape:  JSON; `rehearse_counterexample` is the version of the format (docs/manual.md); files of version 1 are read.
// Errors: the file, the key and what is wrong with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/compute_options.hpp"
#include "app/finding_json.hpp"
#include "app/job.hpp"
#include "mc/explore.hpp"
#include "mc/investigate.hpp"
#include "simcore/finding.hpp"
#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {

// What is known of it besides.
struct Explanation {
  mc::Explanation cause;           // but for its finding and its steps, which are in the counter-example and the story
  std::vector<std::string> story;  // lines for people
  std::vector<std::string> waits;  // lines for people: who waits for whom
  std::string replayed_on;         // the platform on which it happened again when it was written
};

// When the finding happens on a platform.
struct PredictedTime {
  std::string platform;
  std::optional<double> seconds;  // none: it does not, at the dates there
};

struct Counterexample {
  std::string program;       // absolute path
  std::string program_hash;  // of the files, see hash_of_programs
  std::vector<std::string> arguments;
  std::uint32_t ranks = 0;            // of all programs
  std::vector<Job::Further> others;  // further programs, with absolute paths
  smpi::NodeMap nodes;               // where the ranks were
  mc::Policy policy;         // under which it happens
  smpi::BufferChecks buffers;  // what was looked at
  std::vector<std::uint64_t> cancelled_sends;  // places of which both ends were (smpi::CancelLook)
  Finding finding;           // with its schedule
  std::string folder;        // in which it was checked; empty: not known (files of version 1)
  std::uint32_t polls = 1;   // as --polls said
  std::string platform;      // as --on said; empty: it did not
  std::optional<double> time_bound;  // as --time-bound said; seconds
  std::optional<ComputeOptions> compute;  // where times were predicted
  std::optional<PredictedTime> predicted;
  std::optional<Explanation> explanation;  // none: it could not be looked into
};

Json to_json(const PredictedTime& time);

// What a counter-example is launched as.
Job job_of(const Counterexample& counterexample);

// The same as a document, and back.
Json to_json(const Counterexample& counterexample);
Result<Counterexample> counterexample_from_json(const std::string& file, const Json& json);

// Empty, or why it could not be written.
std::string write_counterexample(const std::string& file, const Counterexample& counterexample);

Result<Counterexample> read_counterexample(const std::string& file);

// FNV-1a (64 bits) of the file's content, in hexadecimal: distinguishes a rebuilt program from the checked one.
Result<std::string> hash_of_file(const std::string& path);

// The hashes of all its programs, with commas.
Result<std::string> hash_of_programs(const Counterexample& counterexample);

}  // namespace rehearse::app
