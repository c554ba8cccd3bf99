// SPDX-License-Identifier: MIT
//
// `rehearse calibrate`: from measurements under a real MPI library to a platform, with its errors
// (docs/calibration.md).
//
// Errors: FILE:LINE with the value and what is accepted; measurements that are missing, by the name of their test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/json.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct CalibrationRequest {
  std::vector<std::string> files;  // CSV
  std::string on;                  // platform file whose topology and nominal values stay; empty: a star
  std::string statistic = "p10";   // minimum, p10, median
  std::uint32_t folds = 10;        // of the cross-validation
  std::string speed_kernel;        // the kernel whose rate is the speed of hosts; empty: 1e10 flop/s, as measured here
  std::string here;                // CSV of this machine, for factors of measured computation; empty: none
};

// A measured and a simulated time of the same test.
struct VerifiedCase {
  std::string test;
  std::uint32_t ranks = 0;
  std::uint64_t bytes = 0;
  double measured = 0, simulated = 0;
};

struct Calibration {
  Json report;           // all numbers (docs/calibration.md)
  std::string platform;  // text of the platform file
  std::vector<std::string> warnings;
  std::uint32_t ranks = 0;             // of the measurements
  std::vector<std::string> arguments;  // of the program, so that it chooses the same sizes again
  std::vector<std::string> hosts;      // of the platform, by rank
  std::vector<VerifiedCase> measured;  // without simulated times
};

Result<Calibration> calibrate(const CalibrationRequest& request);

// Runs the program in simulated time, as it ran under the MPI library. `platform`: the written file.
Result<std::vector<VerifiedCase>> verify(const Calibration& calibration, const std::string& platform,
                                         const std::string& program, const StopToken& stop);

// Mean and greatest relative error and mean logarithmic error for each test; also the cases.
Json to_json(const std::vector<VerifiedCase>& cases);

}  // namespace rehearse::app
