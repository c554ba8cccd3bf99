// SPDX-License-Identifier: MIT
//
// The flows of a file, on a platform: what `rehearse flows` does.
//
// Errors: behind `flows: ` a platform or a cost model that cannot be made; a line of the file that cannot be read, or
//         whose flow has no route or no end, as file:line.
#pragma once

#include <string>
#include <vector>

#include "app/flow_file.hpp"
#include "app/flow_run.hpp"
#include "app/model_flags.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct FlowRequest {
  std::string file;  // of flows; `-`: standard input
  std::string on;    // a built-in platform, or an XML file
  ModelFlags models;
  bool has_limits = false;  // what limits each flow when is looked up
};

struct FlowReport {
  Platform platform;
  std::string network;  // the name of its model
  std::vector<Flow> flows;
  std::vector<FlowEnd> ends;  // by flow
};

Result<FlowReport> simulate_flows(const FlowRequest& request);

}  // namespace rehearse::app
