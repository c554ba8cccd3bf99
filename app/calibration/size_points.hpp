// SPDX-License-Identifier: MIT
//
// One robust value for each size of a test: a low quantile of its repetitions, which disturbances hardly change.
//
// Quantiles: interpolated between order statistics (type 7 of Hyndman, Fan, Sample quantiles in statistical packages,
//            The American Statistician 50(4), 1996).
// Outliers:  repetitions further from the median than 5 normalised median absolute deviations (Hampel, The influence
//            curve and its role in robust estimation, JASA 69, 1974). They are counted; quantiles do not need their
//            removal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/calibration/measurements.hpp"

namespace rehearse::app {

enum class Statistic : std::uint8_t { minimum, p10, median };

std::optional<Statistic> parse_statistic(const std::string& name);
std::string name_of(Statistic statistic);

double quantile(std::vector<double> values, double part);

struct SizePoint {
  double bytes = 0;
  double seconds = 0;          // by the statistic
  double quartile_spread = 0;  // (third less first quartile) / median
  std::uint32_t repetitions = 0;
  std::uint32_t outliers = 0;
};

// By rising sizes. `ranks`: that take part; 0: any.
std::vector<SizePoint> size_points(const Measurements& all, const std::string& test, Statistic statistic,
                                   std::uint32_t ranks = 0);

// The numbers of ranks with which the test ran, rising.
std::vector<std::uint32_t> ranks_of(const Measurements& all, const std::string& test);

}  // namespace rehearse::app
