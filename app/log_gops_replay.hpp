// SPDX-License-Identifier: MIT
//
// A GOAL schedule, or a trace as one, in the LogGOPS model, for `rehearse trace replay --network loggops` and for C++
// programs.
//
// Units:   nanoseconds, bytes.
// Errors:  a file that cannot be read, with file and line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/support/result.hpp"
#include "trace/goal_conversion.hpp"
#include "trace/log_gops.hpp"

namespace rehearse::app {

struct LogGopsRequest {
  std::string file;  // GOAL in any form, or a trace of calls
  trace::LogGopsParameters parameters = {};
  trace::GoalConversion conversion = {};  // of a trace of calls
  trace::Wildcards wildcards = trace::Wildcards::recorded;
};

struct LogGopsRank {
  std::uint64_t end_ns = 0;
  std::uint64_t compute_ns = 0;   // of all its processors
  std::uint32_t processors = 1;   // with operations that take time
  std::uint64_t overhead_ns = 0;  // of its processors, for messages that it sends, and for those sent to it
  std::uint64_t messages = 0;     // sent
  std::uint64_t bytes = 0;        // sent
  bool has_ended = true;          // all of its operations
};

struct LogGopsReplay {
  std::string format;
  std::uint64_t actions = 0;
  std::uint64_t events = 0;  // operations that began, and messages
  std::vector<LogGopsRank> ranks;
  std::vector<Finding> findings;         // messages that nobody receives are warnings
  std::vector<std::string> unsupported;  // reasons for an inconclusive replay
  double wall_seconds = 0;               // of the simulation; with the reading, if that takes turns with it

  std::uint64_t end_ns() const;  // of the last rank
  bool has_ended() const;        // all ranks
};

Result<LogGopsReplay> replay_log_gops(const LogGopsRequest& request);

}  // namespace rehearse::app
