// SPDX-License-Identifier: MIT
//
// Explores all orders in which the messages of a trace can match, for `rehearse check TRACE` and for C++ programs.
//
// Scope:   the calls of each rank are those of the trace, whatever it receives. So a violation is an execution of these
//          calls, and `verified` holds for these calls only, not for the program that was recorded.
// Errors:  a trace that cannot be read, with file and line.
#pragma once

#include <string>

#include "app/check.hpp"
#include "app/check_report.hpp"
#include "mc/explore_options.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct TraceExplorationRequest {
  std::string file;  // of any format but GOAL
  mc::Semantics semantics;
  mc::Bounds bounds;
  // Only predict deadlocks, lost messages, and lengths and types of messages from one order (mc::Search::predict).
  bool predicts = false;
};

// All policies, and the bounds of other checks.
TraceExplorationRequest default_trace_exploration(const std::string& file);

// `explored` of the hooks is called once; `judged` is not called.
Result<CheckReport> explore_trace(const TraceExplorationRequest& request, const CheckHooks& hooks = {});

}  // namespace rehearse::app
