// SPDX-License-Identifier: MIT
//
// The calls of a recording under the names of MPI, for formats of tools that know MPI's functions.
//
// Order: as the intervals of the recording: by rank in the order of time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/recording.hpp"

namespace rehearse::cli {

// A call, or a computation. An exchange in a trace is three operations and therefore three intervals, but one call.
struct RecordedCall {
  std::uint32_t first = 0, last = 0;  // intervals
  std::uint32_t rank = 0;
  app::Doing doing = app::Doing::other;
  std::string function;  // "MPI_Send"; empty: a computation or a pause
  TimePoint begin, end;
  bool is_open = false;
};

struct RecordedCalls {
  std::vector<RecordedCall> calls;
  std::vector<std::uint32_t> of_interval;  // by interval: its call
};
RecordedCalls calls_of(const app::Recording& recording);

// From the text of a call in a recording: "MPI_Send(buf, ...)", "MPI_Send: send to 1, ..." or "send 1 7 1e6".
std::string mpi_function_of(std::string_view text);

}  // namespace rehearse::cli
