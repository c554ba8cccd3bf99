// SPDX-License-Identifier: MIT
//
// Profiles of the many-node method as JSON documents, and the use case that makes one of samples.
//
// Document: rehearse_profile (1), source, ranks, clusters, markers, scaling, warnings (docs/many-node.md).
// Errors:   one line with the file, the place in the document, the value and what is accepted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "manynode/analysis.hpp"
#include "manynode/profile.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// `at`: numbers of ranks for which the fit of scaling is evaluated.
Json to_json(const manynode::Profile& profile, const std::vector<std::uint32_t>& at = {});
Result<manynode::Profile> profile_from_json(const Json& document);

// Of a file, with its name in the error.
Result<manynode::Profile> read_profile(const std::string& file);

// A law as in profiles and skeletons: {"law": "exponential", "mean": 0.001, "shift": 0}; of `empirical`: "values", or
// "quantiles" (pairs of probability and value) and perhaps "tail".
Json to_json(const manynode::Law& law);
Result<manynode::Law> law_from_json(const Json& document);

// The same work at another number of ranks, or of ranks of a node.
struct SizedSamples {
  std::uint32_t size = 0;
  std::string file;
};

struct ProfileRequest {
  std::vector<std::string> samples;  // CSV files, recordings and folders of them, of one run
  std::string counters, scaling;     // CSV files; empty: none
  std::vector<std::uint32_t> at;     // numbers of ranks for the fit of scaling
  std::vector<SizedSamples> runs;    // of other numbers of ranks
  std::vector<SizedSamples> dense;   // of several ranks of a node
  std::string source;                // words for the origin of the samples; empty: measured
  manynode::AnalysisOptions options;
};

struct ProfileAnalysis {
  manynode::Profile profile;
  manynode::SampleTable samples;
};

Result<ProfileAnalysis> analyse_profile(const ProfileRequest& request);

}  // namespace rehearse::app
