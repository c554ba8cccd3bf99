// SPDX-License-Identifier: MIT
//
// Checks a trace without a platform, for `rehearse trace check` and for C++ programs: executes it once under each
// policy of sends and collectives, with the matches of a machine on which all messages take the same time. Other orders
// of messages are not tried.
//
// Time:    linear in the number of actions.
// Errors:  a trace that cannot be read, with file and line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/data_mark.hpp"
#include "simcore/finding.hpp"
#include "simcore/policy.hpp"
#include "simcore/support/result.hpp"
#include "trace/replayed_program.hpp"

namespace rehearse::app {

struct TraceCheckRequest {
  std::string file;  // of any format but GOAL
  trace::Wildcards wildcards = trace::Wildcards::recorded;
};

// The policies, in the order of the executions.
std::vector<Policy> trace_check_policies();

struct TraceCheck {
  std::string format;
  std::uint32_t ranks = 0;
  std::uint64_t actions = 0;
  std::vector<Finding> findings;         // `policies`: empty if it happens under all
  std::vector<std::string> unsupported;  // reasons for an inconclusive check
  DataMark data = {};                    // of the recorded run
};

Result<TraceCheck> check_trace(const TraceCheckRequest& request);

}  // namespace rehearse::app
