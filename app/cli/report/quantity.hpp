// SPDX-License-Identifier: MIT
//
// Quantities of platforms as text: three digits or more, and a unit.
#pragma once

#include <string>

namespace rehearse::cli {

std::string as_bandwidth(double bytes_per_second);  // 1.25 GB/s
std::string as_speed(double flops_per_second);      // 10 Gflop/s
std::string as_energy(double joules);               // 1.25 kJ
std::string as_power(double watts);                 // 95 W
std::string as_latency(double seconds);             // 50 us

}  // namespace rehearse::cli
