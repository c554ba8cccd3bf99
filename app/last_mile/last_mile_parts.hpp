// SPDX-License-Identifier: MIT
//
// All results of a last-mile fit, for its report and its platform file.
#pragma once

#include <string>
#include <vector>

#include "app/last_mile/bandwidth_fit.hpp"
#include "app/last_mile/latency_fit.hpp"
#include "app/last_mile/pair_errors.hpp"

namespace rehearse::app {

// Of one quantity. Empty if it was not measured.
struct PairStudy {
  std::vector<PairValue> pairs;
  std::vector<double> fitted;    // by pair
  std::vector<double> left_out;  // prediction of the pair when it was left out; not a number: none
  PairErrors errors;
};

struct LastMileParts {
  std::string statistic;
  std::uint32_t folds = 0;
  std::vector<std::string> names;  // of the hosts
  std::vector<HostLatency> latencies;
  BandwidthFit bandwidths;
  PairStudy latency, bandwidth;
  std::size_t empty_lines = 0;
  std::vector<std::string> warnings;
  std::string about;  // of the platform file
};

}  // namespace rehearse::app
