// SPDX-License-Identifier: MIT
//
// A job: which programs are launched, with how many ranks each, on which nodes.
//
// Form:   PROGRAM ARGS... [: -n N PROGRAM ARGS...]..., as the standard's mpiexec has it (MPI 4.1, section 11.5). The
//         ranks of a program follow those of the programs before it.
// Errors: read_job: what is wrong behind which colon, and what is accepted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/verbs.hpp"
#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace rehearse::cli {

struct Job {
  struct Further {
    std::uint32_t first_rank = 0;
    std::string path;
    std::vector<std::string> arguments;
    bool operator==(const Further&) const = default;
  };

  std::string path;  // of the first program
  std::vector<std::string> arguments;
  std::uint32_t ranks = 0;      // of all programs together
  std::vector<Further> others;  // by ascending first rank
  smpi::BufferChecks buffers = {};
  smpi::NodeMap nodes = {};
  std::int64_t date_seconds = smpi::default_date_seconds;
};

// The map of ranks that are on the nodes of these names, by rank.
smpi::NodeMap nodes_of(const std::vector<std::string>& names);

// `words` begin with the first program, which has `ranks` ranks. Programs are found as a shell finds them.
Result<Job> read_job(const Arguments& words, std::uint32_t ranks);

}  // namespace rehearse::cli
