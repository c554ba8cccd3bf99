// SPDX-License-Identifier: MIT
//
// The file that holds one finding together with all that is needed to make it happen again.
//
// Shape:  JSON; `rehearse_counterexample` is the version of the format (docs/manual.md).
// Errors: the file, the key and what is wrong with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "simcore/finding.hpp"
#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace rehearse::cli {

struct Counterexample {
  std::string program;       // absolute path
  std::string program_hash;  // of the file, see hash_of_file
  std::vector<std::string> arguments;
  std::uint32_t ranks = 0;
  mc::Policy policy;         // under which it happens
  smpi::BufferChecks buffers;  // what was looked at
  Finding finding;           // with its schedule
};

// Empty, or why it could not be written.
std::string write_counterexample(const std::string& file, const Counterexample& counterexample);

Result<Counterexample> read_counterexample(const std::string& file);

// FNV-1a (64 bits) of the file's content, in hexadecimal: tells a rebuilt program from the one that was checked.
Result<std::string> hash_of_file(const std::string& path);

}  // namespace rehearse::cli
