// SPDX-License-Identifier: MIT
//
// The options of other MPI launchers, in terms of `rehearse run`.
//
// Errors: an option that is not supported, with the supported ones.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::cli {

struct MpiexecPlan {
  std::vector<std::string> run_arguments;                        // of `rehearse run`
  std::vector<std::pair<std::string, std::string>> environment;  // to set before the run
  std::string folder;                                            // to change to before the run; empty: the current one
  bool asks_help = false;
  bool asks_version = false;
};

Result<MpiexecPlan> plan_mpiexec(std::span<const std::string> arguments);

}  // namespace rehearse::cli
