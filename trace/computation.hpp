// SPDX-License-Identifier: MIT
//
// The computations of a recorded run: for each rank, what lies between the end of one call and the begin of the next.
//
// Marker:  the calls before and after, `MPI_Wait@cg.c:141 > MPI_Send@cg.c:150`, each with the last part of the file's
//          path; `start` and `end` of the rank. Without debug information `CALL@FUNCTION`. Reads of the clock, output,
//          and tests without success do not end a computation.
// Errors:  as of open_program(): the file, in one line.
// Threads: none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simcore/support/result.hpp"

namespace rehearse::trace {

struct ComputationSource {
  std::uint32_t ranks = 0;
  std::string about;  // JSON about the recording
};

class ComputationSink {
 public:
  virtual ~ComputationSink() = default;
  virtual void begin(const ComputationSource& source) = 0;
  // Rank by rank, in the order of their executions. Volumes are those of the recording; 0: too short to be measured.
  virtual void on_interval(std::uint32_t rank, const std::string& marker, double flops) = 0;
  // A send (one message), or a contribution to a collective (none).
  virtual void on_sent(std::uint32_t rank, std::uint64_t messages, std::uint64_t bytes) = 0;
};

// Whether the file is a recording.
bool has_computation(const std::string& path);

Result<void> read_computation(const std::string& path, ComputationSink& sink);

// Of a call, `MPI_Wait@cg.c:141`.
std::string call_name(std::string_view call, std::string_view function, std::string_view file, std::uint32_t line);
std::string marker_name(std::string_view before, std::string_view after);

}  // namespace rehearse::trace
