// SPDX-License-Identifier: MIT
//
// Flows on a platform: the end of each, and the limits of its rate over time.
//
// Errors: a flow without a route, or one that never ends, by the line's number; a cost model with a problem, without.
#pragma once

#include <optional>
#include <vector>

#include "app/flow_file.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/stop_token.hpp"

namespace rehearse::app {

// An interval in which the limit of a flow was the same.
struct LimitedTime {
  TimePoint from;
  TimePoint to;
  Limit limit;
  double rate = 0;  // payload, bytes per second
};

enum class FlowStatus : std::uint8_t { done, failed, unfinished };

struct FlowEnd {
  double seconds = 0;  // of an unfinished flow: 0
  FlowStatus status = FlowStatus::unfinished;
  std::optional<PacketFlow> packets;  // of a network of packets
  std::vector<LimitedTime> limits;    // if requested
  TransferTerms terms;                // likewise
};

struct FlowProblem {
  int line = 0;  // 0: of no flow
  std::string text;
};

struct SimulatedFlows {
  std::vector<FlowEnd> ends;             // by flow
  std::optional<FlowProblem> problem;    // then the ends mean nothing
  std::optional<TimePoint> interrupted;  // after a request of `stop`
};

struct FlowSetting {
  CostModel& costs;
  const Platform& platform;
  bool has_limits = false;
  StopToken stop = {};
};

SimulatedFlows simulate(const std::vector<Flow>& flows, const FlowSetting& setting);

}  // namespace rehearse::app
