// SPDX-License-Identifier: MIT
//
// Use case: runs a program under a real MPI with the profiling library, which writes a stream for each rank.
//
// Errors: no such program, neither MPI, no profiling library, no launcher.
// Processes: one child, the launcher, with the standard streams of the caller.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/real_streams.hpp"

namespace rehearse::app {

enum class RealMpi : std::uint8_t { openmpi, mpich };

struct RealRunRequest {
  std::uint32_t ranks = 1;
  std::vector<std::string> program;   // and its arguments
  std::string mpi;                    // "openmpi" or "mpich"; empty: by the libraries that the program needs
  std::vector<std::string> launcher;  // words in front of -n; empty: that of the MPI
  std::string libraries;              // folder with the profiling libraries
  std::string streams;                // folder for the streams; absolute
  std::string preloaded;              // LD_PRELOAD of the caller, which the ranks keep
  trace::Counter counter = trace::Counter::seconds;
};

// By the libraries that the program needs.
Result<RealMpi> find_real_mpi(const std::string& program);

// Whether this machine counts the instructions of a thread. The error is the reason why not.
Result<void> find_instruction_counter();

// The status with which the launcher ended; 128 and more: a signal.
Result<int> run_real(const RealRunRequest& request);

}  // namespace rehearse::app
