// SPDX-License-Identifier: MIT
//
// Flows on a platform: the end of each, and the limits of its rate over time.
//
// Errors: a flow without a route, or one that never ends; the text begins with the line's number.
#pragma once

#include <vector>

#include "app/flow_file.hpp"
#include "simcore/cost_model.hpp"

namespace rehearse::app {

// An interval in which the limit of a flow was the same.
struct LimitedTime {
  TimePoint from;
  TimePoint to;
  Limit limit;
  double rate = 0;  // payload, bytes per second
};

struct FlowEnd {
  double seconds = 0;
  bool failed = false;
  std::vector<LimitedTime> limits;  // if requested
  TransferTerms terms;              // likewise
};

struct FlowProblem {
  int line = 0;
  std::string text;
};

// By flow. `problem` is set if there is one.
std::vector<FlowEnd> simulate(const std::vector<Flow>& flows, CostModel& costs, const Platform& platform,
                              bool has_limits, std::optional<FlowProblem>& problem);

}  // namespace rehearse::app
