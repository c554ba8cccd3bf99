// SPDX-License-Identifier: MIT
//
// Rates of computation by kernel and host, from the lines compute:KERNEL:HOST.
//
// Units: of work per second: flops; of triad bytes, of sort keys.
#pragma once

#include <string>
#include <vector>

#include "app/calibration/size_points.hpp"

namespace rehearse::app {

struct ComputeRate {
  std::string kernel, host;
  double rate = 0;
  double quartile_spread = 0;
};

std::vector<ComputeRate> compute_rates(const Measurements& all, Statistic statistic);

// The unit of the kernel's work.
std::string unit_of(const std::string& kernel);

// The factor of measured computation (--compute-scale) for runs on the machine of `here` that predict the first host of
// `there`: by kernel, and as the geometric mean under the name `mean`.
struct ComputeScale {
  std::string kernel;
  double scale = 1;
};
std::vector<ComputeScale> compute_scales(const std::vector<ComputeRate>& there, const std::vector<ComputeRate>& here);

}  // namespace rehearse::app
