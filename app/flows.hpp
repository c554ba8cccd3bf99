// SPDX-License-Identifier: MIT
//
// Simulates the flows of a file on a platform, for `rehearse flows` and for C++ programs.
//
// Errors: an invalid platform or cost model (the text begins with `flows: `); an invalid line, or a flow
//         without a route or an end (the text begins with file:line).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/flow_file.hpp"
#include "app/flow_run.hpp"
#include "app/model_flags.hpp"
#include "app/statistics.hpp"
#include "simcore/platform.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct FlowRequest {
  std::string file;  // of flows; `-`: standard input
  std::string on;    // a built-in platform, or an XML file
  ModelFlags models;
  bool has_limits = false;  // whether to record the limits of each flow over time
  std::string pcap = {};    // DIR[:REGEX] of captures of packets; empty: none
  StatisticsRequest statistics = {};
  StopToken stop = {};  // ends the simulation early
};

struct FlowReport {
  Platform platform;
  std::string network;  // the name of its model
  std::vector<Flow> flows;
  std::vector<FlowEnd> ends;             // by flow
  std::optional<PacketSummary> packets;  // of a network of packets
  std::optional<NetworkStatistics> statistics;
  double end_seconds = 0;                   // of the last flow
  double wall_seconds = 0;                  // of the simulation
  std::optional<TimePoint> interrupted_at;  // none: all flows have ended
};

Result<FlowReport> simulate_flows(const FlowRequest& request);

}  // namespace rehearse::app
