// SPDX-License-Identifier: MIT
//
// The measurements of the calibration program, read from its CSV files.
//
// Form:   lines `test,ranks,bytes,repetition,seconds`; lines that begin with # are comments, of which `# key: value`
//         describes the run. `# rehearse calibration 1` begins them; launchers may print lines before it.
// Units:  bytes (of kernels: flops, bytes or keys), seconds.
// Errors: FILE:LINE: the value, and what is accepted.
#pragma once

#include <compare>
#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::app {

struct MeasuredCase {
  std::string test;
  std::uint32_t ranks = 0;  // that take part
  std::uint64_t bytes = 0;
  auto operator<=>(const MeasuredCase&) const = default;
};

struct Measurements {
  std::map<std::string, std::string> about;  // comments, of the file with the most ranks
  std::vector<std::string> hosts;            // of the ranks of that file
  // By repetition. Of pairs at once: the time of the last pair.
  std::map<MeasuredCase, std::vector<double>> seconds;

  // The names of the nodes, in the order of their first ranks.
  std::vector<std::string> nodes() const;
  bool has(const std::string& test) const;
};

// Adds the lines of `in`, which `file` names in errors.
Result<void> read_measurements(std::istream& in, const std::string& file, Measurements& all);

// The measurements of all files together.
Result<Measurements> read_measurement_files(const std::vector<std::string>& files);

}  // namespace rehearse::app
