// SPDX-License-Identifier: MIT
//
// Use case: one recording from the streams of the ranks of a real MPI.
//
// Errors: the streams or the output, in one line that begins with the path.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/real_streams.hpp"

namespace rehearse::app {

struct GatherRequest {
  std::vector<std::string> inputs;  // files, and folders of files
  std::string output;
  trace::VolumeRates rates;
};

struct GatherReport {
  std::uint32_t ranks = 0;
  std::uint64_t actions = 0;
  std::string libraries;                 // "Open MPI v4.1.4"
  std::vector<std::string> warnings;     // about the recording
  std::vector<std::string> unsupported;  // calls that a recording cannot have; then there is no file
};

Result<GatherReport> gather(const GatherRequest& request);

}  // namespace rehearse::app
