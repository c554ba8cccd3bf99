// SPDX-License-Identifier: MIT
//
// Sampled code in a timed run: options, files of distributions, and a summary for reports.
//
// File:   JSON, a class in each element of "classes": name, numbers, scope (run, host or rank), group (number of the
// host
//         or rank), and seconds on the machine that measured them: cold (first executions of ranks) and warm,
//         ascending, all values equally probable; sequence (warm times by rank, in the order of measurement) and starts
//         (pairs of rank and place). A class of the file never runs again. New classes are added.
// Errors: a file that is not of this form: the file, the class, the value and the accepted values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/compute_options.hpp"
#include "app/json.hpp"
#include "simcore/sampler.hpp"
#include "simcore/support/result.hpp"
#include "smpi/sampling.hpp"

namespace rehearse::app {

struct SamplingOptions {
  std::string as = "draw";    // draw, mean, sequence
  std::string scope = "run";  // run, host, rank
  double error = SampleRule{}.error;
  std::uint64_t most = SampleRule{}.most;
  std::string file;                    // of distributions; empty: none
  bool models = false;                 // classes that never ran take their times from laws
  std::vector<std::string> functions;  // NAME[:ARG,ARG]
  std::uint64_t seed = 1;              // of the times of executions that do not run
  bool keeps_file = false;             // the file gets no new classes
};

SampleRule rule_of(const SamplingOptions& options);
SampleAs replay_of(const SamplingOptions& options);

// `hosts`: the host of each rank.
Result<std::unique_ptr<smpi::Sampling>> make_sampling(const SamplingOptions& options, const ComputeOptions& compute,
                                                      std::vector<std::uint32_t> hosts);
smpi::VolumeRates rates_of(const ComputeOptions& compute);

// NAME[:ARG,ARG...]: ARG is the position of an int argument (1 to 6), `*2` the address of an int, `2l` 64 bits.
Result<smpi::SampledFunction> parse_sampled_function(const std::string& text);

// Adds the classes of the file, if it exists. Its class names and scopes must be different.
Result<void> read_samples(const std::string& file, Sampler& sampler);
// Writes all classes that have measured times, unless all of them are from the file.
Result<void> write_samples(const std::string& file, const Sampler& sampler);

// The sampled code of a run.
struct SamplingSummary {
  struct Class {
    SampleKey key;
    std::uint64_t executed = 0, skipped = 0, replaced = 0, disturbed = 0;
    double mean_seconds = 0;
    double relative_error = 0;     // half-width of the 95 % interval, by the mean; infinite: not known
    bool is_known = false;         // from a file
    std::optional<SampleLaw> law;  // of its times, if it never ran
    double product = 0;            // of its numbers
  };
  std::vector<Class> classes;
  std::uint64_t executed = 0, skipped = 0;
};
SamplingSummary summary_of(const Sampler& sampler);
Json to_json(const SamplingSummary& summary, const SamplingOptions& options);
// A line for each name whose classes have the times of a law.
std::vector<std::string> laws_of(const SamplingSummary& summary);

// The words of all reports of a run that skipped code (app/data_mark.hpp).
inline constexpr const char* data_not_computed = "not computed";

}  // namespace rehearse::app
