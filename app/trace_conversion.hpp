// SPDX-License-Identifier: MIT
//
// Traces in other formats, for `rehearse trace convert` and for C++ programs.
//
// Errors: a file that cannot be read, with file and line; a file that cannot be written. The output is removed then.
#pragma once

#include <string>

#include "simcore/support/result.hpp"
#include "trace/conversion.hpp"
#include "trace/goal_conversion.hpp"
#include "trace/wildcards.hpp"

namespace rehearse::app {

struct TraceConversionRequest {
  std::string input;  // of any format
  std::string output;
  std::string to;                                           // ti, rtrace, c, goal or goal-binary
  trace::GoalConversion conversion = {};                    // between GOAL and calls
  trace::Wildcards wildcards = trace::Wildcards::recorded;  // of a recording
};

// With a reason for which the trace cannot be converted at all, there is no output.
Result<trace::Conversion> convert_trace(const TraceConversionRequest& request);

}  // namespace rehearse::app
