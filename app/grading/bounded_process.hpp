// SPDX-License-Identifier: MIT
//
// A command in a process of its own that cannot outlive, outgrow or outtalk its bounds, whatever it does.
//
// Bounds:  time by the clock, memory of the process and all its descendants, bytes that it writes to its output, the
//          size of each file. Whoever oversteps one is killed, with all descendants, also those that hide in a session
//          of their own. No protection against somebody who means harm: it may read and write what this user may.
// Process: the calling process becomes the one to which orphans of descendants are given (a subreaper), and must have
//          no other children meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::app {

struct Bounds {
  double seconds = 30;
  std::uint64_t memory_bytes = 2'000'000'000;
  std::uint64_t output_bytes = 1'000'000;  // of standard output and of standard error, each
  std::uint64_t file_bytes = 100'000'000;
};

struct ProcessEnd {
  enum class How { exited, signalled, out_of_time, out_of_memory, too_much_output };
  How how = How::exited;
  int status = 0;        // exit status, or the number of the signal
  std::string out, err;  // at most as many bytes as the bound says
};

// What is wrong with how it ended, in words ("took longer than 30 seconds"); empty for an exit, whatever its status.
std::string trouble_of(const ProcessEnd& end, const Bounds& bounds);

// Runs the command (its first word is a path) in this folder, with nothing to read and with a small environment: PATH,
// LD_LIBRARY_PATH, REHEARSE_CC and REHEARSE_CXX of ours, HOME and TMPDIR are the folder.
Result<ProcessEnd> run_bounded(const std::vector<std::string>& command, const std::string& folder,
                               const Bounds& bounds);

}  // namespace rehearse::app
