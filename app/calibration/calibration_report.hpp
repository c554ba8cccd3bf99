// SPDX-License-Identifier: MIT
//
// The numbers of a calibration as JSON (docs/calibration.md lists the keys).
#pragma once

#include "app/calibration/calibrated_platform.hpp"
#include "app/calibration/compute_rates.hpp"
#include "app/calibration/model_errors.hpp"
#include "app/calibration/protocol_fit.hpp"
#include "app/json.hpp"

namespace rehearse::app {

// All parts of a calibration.
struct CalibrationParts {
  Statistic statistic = Statistic::p10;
  EagerThreshold threshold;
  std::vector<std::string> refused;  // tests of overheads
  CalibratedNetwork network;
  std::vector<SizePoint> half_round_trips;
  std::vector<double> cross_validated;  // by half round trip
  std::vector<FlowsAtOnce> flows;
  std::vector<ErrorFigures> point_errors, contention_errors;
  std::vector<ComputeRate> rates;
  std::vector<ComputeScale> scales;
  std::vector<std::pair<std::string, double>> calls;  // seconds of MPI_Iprobe, MPI_Test, MPI_Wtime
};

Json report_of(const CalibrationParts& parts, const Measurements& all);

}  // namespace rehearse::app
