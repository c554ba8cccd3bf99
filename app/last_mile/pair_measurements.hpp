// SPDX-License-Identifier: MIT
//
// Measurements between pairs of hosts, read from CSV files.
//
// Form:   the first line names the columns: `from`, `to`, and one or both of `latency` (or `round_trip`) and
//         `bandwidth`, in any order. A cell without text is a missing measurement. Lines that begin with # are
//         comments.
// Units:  latency: seconds of one way; round_trip: seconds, of which half counts as latency; bandwidth: bytes per
//         second.
// Errors: FILE:LINE: the value, and what is accepted.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::app {

using HostPair = std::pair<std::uint32_t, std::uint32_t>;  // from, to
using PairSamples = std::map<HostPair, std::vector<double>>;

struct PairMeasurements {
  std::vector<std::string> hosts;                // in the order of their first lines
  std::map<std::string, std::uint32_t> numbers;  // of the hosts
  PairSamples latencies, bandwidths;
  std::size_t empty_lines = 0;  // that name a pair and have no value
};

// Adds the lines of `in`, which `file` names in errors.
Result<void> read_pairs(std::istream& in, const std::string& file, PairMeasurements& all);

// The measurements of all files together. At least one value.
Result<PairMeasurements> read_pair_files(const std::vector<std::string>& files);

}  // namespace rehearse::app
