// SPDX-License-Identifier: MIT
//
// The time of a schedule in the LogGOPS model by its use: by rank, pair of ranks and size of messages; and how the end
// depends on each parameter.
//
// Uses:    computation, overhead (of processors, for messages), waiting: the rest until the end of the rank. Of a rank
//          with several processors, the mean of them.
// Growth:  by how many nanoseconds the end comes later if the parameter is one nanosecond larger: how often the
//          parameter is on the critical path. Of two critical paths, the one on which it is more often.
// Source:  such sensitivities as a measure of the tolerance of latency: Shen et al., LLAMP: Assessing Network Latency
//          Tolerance of HPC Applications with Linear Programming, SC 2024.
// Units:   nanoseconds, bytes.
// Errors:  as of replay_log_gops().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/log_gops_replay.hpp"

namespace rehearse::app {

struct LogGopsGrowth {
  char parameter = 'L';
  std::uint64_t value_ns = 0;
  std::int64_t growth = 0;

  double path_ns() const { return static_cast<double>(value_ns) * static_cast<double>(growth); }
};

struct LogGopsPair {
  std::uint32_t source = 0, destination = 0;
  std::uint64_t messages = 0, bytes = 0;
};

// Messages from `least` bytes to the next class.
struct LogGopsSize {
  std::uint64_t least = 0;
  std::uint64_t messages = 0, bytes = 0;
};

struct LogGopsProfile {
  LogGopsReplay replay;
  std::vector<LogGopsGrowth> growth;  // empty: the replay did not end, and there is nothing else
  std::vector<LogGopsPair> pairs;     // by source and destination
  std::vector<LogGopsSize> sizes;     // powers of two, those that occur

  // The part of the end that no parameter explains.
  double computation_on_path_ns() const;
};

Result<LogGopsProfile> profile_log_gops(const LogGopsRequest& request);

}  // namespace rehearse::app
