// SPDX-License-Identifier: MIT
//
// Runs a command in a separate process, within bounds that it cannot exceed.
//
// Bounds:  wall-clock time, memory of the process and all its descendants, bytes of its output, the size of each file.
//          A process that exceeds one is killed with all its descendants, including those in other sessions. This is no
//          protection against attacks: the command can read and write the files of this user.
// Process: the calling process becomes the parent of orphaned descendants (a subreaper), and must have no other
//          children during the call.
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
  std::string out, err;  // at most `output_bytes` each
};

// The reason why it did not exit, in words ("not over after 30 seconds"); empty for an exit with any status.
std::string trouble_of(const ProcessEnd& end, const Bounds& bounds);

// Runs the command (its first word is a path) in this folder, with empty input. Its environment is PATH,
// LD_LIBRARY_PATH, REHEARSE_CC and REHEARSE_CXX of this process, and HOME and TMPDIR, which name the folder.
Result<ProcessEnd> run_bounded(const std::vector<std::string>& command, const std::string& folder,
                               const Bounds& bounds);

}  // namespace rehearse::app
