// SPDX-License-Identifier: MIT
//
// Warnings about the conclusions that a simulated time permits.
//
// Ids: network.uncalibrated   the numbers of the network come from no calibration
//      hosts.shared           several ranks have the same host, so that their messages do not use the network
//      computation.disturbed  the measured computation is not that of a quiet machine
//      sweep.insensitive      the simulated time does not depend on a swept option
#pragma once

#include <string>
#include <vector>

#include "app/json.hpp"
#include "app/machine.hpp"
#include "app/timed_run.hpp"

namespace rehearse::app {

struct RunWarning {
  std::string id;
  std::string text;
};

std::vector<RunWarning> warnings_of(const Machine& machine, const TimedRun& run);

// With `id` and `text`.
Json to_json(const std::vector<RunWarning>& warnings);

}  // namespace rehearse::app
