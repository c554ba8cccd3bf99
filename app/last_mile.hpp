// SPDX-License-Identifier: MIT
//
// `rehearse calibrate --pairs`: a platform of latencies and bandwidths that were measured between some pairs of hosts
// (docs/calibration.md).
//
// Model:  each host has an up link and a down link to a core without limit: bandwidth(i, j) = min(up i, down j), and
//         latency(i, j) = l i + l j.
// Source: Beaumont, Eyraud-Dubois, Won, Using the last-mile model as a distributed scheme for available bandwidth
//         prediction, Euro-Par 2011; the heights of Dabek, Cox, Kaashoek, Morris, Vivaldi, SIGCOMM 2004.
// Units:  seconds of one way, bytes per second.
// Errors: FILE:LINE with the value and what is accepted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

enum class LastMileLinks : std::uint8_t {
  automatic,  // symmetric if most hosts were measured both ways, and measurements left out are predicted no worse
  symmetric,  // up and down have one bandwidth
  directed,
};

struct LastMileRequest {
  std::vector<std::string> files;    // CSV of pairs
  std::string statistic = "median";  // of the repetitions of a pair: minimum, p10, median
  LastMileLinks links = LastMileLinks::automatic;
  std::uint32_t folds = 10;  // of the cross-validation
};

struct LastMile {
  Json report;           // all numbers (docs/calibration.md)
  std::string platform;  // text of the platform file
  std::vector<std::string> warnings;
};

Result<LastMile> fit_last_mile(const LastMileRequest& request);

}  // namespace rehearse::app
