// SPDX-License-Identifier: MIT
//
// Files of flows: lines `start source destination bytes [rate]` in seconds, bytes and bytes per second; # begins a
// comment.
//
// Errors: file:line, the value, the accepted values.
#pragma once

#include <string>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct Flow {
  int line = 0;
  double start_seconds = 0;
  HostId source;
  HostId destination;
  double bytes = 0;
  double rate = 0;  // infinite: none
};

// From standard input if the file is `-`. In the order of the file.
Result<std::vector<Flow>> read_flows(const std::string& file, const Platform& platform);

}  // namespace rehearse::app
