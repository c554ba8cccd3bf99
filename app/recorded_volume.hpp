// SPDX-License-Identifier: MIT
//
// What the volumes of computation in a trace are, and rates at which a core carries them out.
//
// Rates:   volume per second of a core, by place: the speeds of cores in these places instead of those of the hosts.
//          With rates by region, a replay of instructions has the accuracy of one of measured times.
// File:    {"default": 2e9, "region x_solve": 2.1e9, "region lu.c:rhs": 1.8e9, "site lu.c:120": 9e8}. Computation
//          belongs to the call that ends it. A site counts before a region, and a region before the default.
// Source:  calibration of rates by region, because one rate of all instructions is the largest error of replays of
//          counted volumes: Desprez, Markomanolis, Suter, Improving the Accuracy and Efficiency of Time-Independent
//          Trace Replay, PMBS 2012.
// Errors:  of a file: its name, the key or value, and what is accepted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/alterations.hpp"

namespace rehearse::app {

struct RecordedVolume {
  enum class Kind : std::uint8_t { flops, instructions, seconds } kind = Kind::flops;
  double flops_per_unit = 1;  // of the flops that the replay asks for

  std::string_view name() const;
};

// `about`: JSON about the recording; empty: the format has none.
RecordedVolume volume_in(const std::string& format, const std::string& about);

// The factor of each is a rate, in units of volume.
Result<std::vector<trace::ComputeFactor>> read_rates(const std::string& file);

// Rates of regions from two recordings of one program: its volumes, and its processor times. Regions with less than
// `least_part` of the time have the default, the rate of the whole.
struct RegionVolume {
  std::string function;  // empty: unknown
  double volume = 0;     // flops of the replay
};
struct RegionRate {
  std::string function;  // empty: default
  double per_second = 0;
  double seconds = 0;
};
inline constexpr double least_rated_part = 1e-3;
Result<std::vector<RegionRate>> rates_of(const std::vector<RegionVolume>& volumes, const RecordedVolume& of_volumes,
                                         const std::vector<RegionVolume>& times, const RecordedVolume& of_times);

}  // namespace rehearse::app
